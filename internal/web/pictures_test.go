package web

import (
	"bytes"
	"cmp"
	"flag"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

var pictures = flag.String("pictures", "", "the `folder` that the pictures of the documents are written to")

// TestPictures takes the pictures of the viewer that the documents show, where a
// folder for them is named: make pictures.
func TestPictures(t *testing.T) {
	if *pictures == "" {
		t.Skip("-pictures names no folder")
	}
	p := open(t)
	f := newFixture(t, sampleHistory()...).serve()
	const plan = "plans/keys-for-the-api/"
	for _, s := range []struct {
		name, path    string
		width, height int
		dark          bool
	}{
		{"web-list.png", "", 1180, 760, false}, {"web-plan.png", plan, 1180, 900, false}, {"web-plan-dark.png", plan, 1180, 900, true},
		{"web-graph.png", plan + "graph", 1180, 860, false}, {"web-changes.png", plan + "changes/v1..v2", 1180, 900, false},
		{"web-task.png", plan + "tasks/lookup", 1180, 900, false}, {"web-phone.png", plan, 390, 844, true},
	} {
		must(t, p.Size(s.width, s.height, s.width < 600))
		must(t, p.Dark(s.dark))
		must(t, p.Go(f.address+s.path))
		data, err := p.Picture()
		must(t, err)
		must(t, os.WriteFile(filepath.Join(*pictures, s.name), small(t, data), 0o666))
	}
	clean(t, p, f.address)
}

// small makes a picture of a page a third of its size: with the 256 colours that
// occur most, and the nearest of these for the rest, which are edges of letters.
func small(t *testing.T, data []byte) []byte {
	t.Helper()
	full, err := png.Decode(bytes.NewReader(data))
	must(t, err)
	count := map[color.Color]int{}
	eachPixel(full, func(x, y int) { count[full.At(x, y)]++ })
	var palette color.Palette
	for c := range count {
		palette = append(palette, c)
	}
	rgb := func(c color.Color) int { r, g, b, _ := c.RGBA(); return int(r)<<32 | int(g)<<16 | int(b) }
	slices.SortFunc(palette, func(a, b color.Color) int { return cmp.Or(count[b]-count[a], cmp.Compare(rgb(a), rgb(b))) })
	palette = palette[:min(len(palette), 256)]
	nearest := map[color.Color]uint8{}
	for c := range count {
		nearest[c] = uint8(palette.Index(c))
	}
	out := image.NewPaletted(full.Bounds(), palette)
	eachPixel(full, func(x, y int) { out.SetColorIndex(x, y, nearest[full.At(x, y)]) })
	var b bytes.Buffer
	must(t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, out))
	return b.Bytes()
}

func eachPixel(p image.Image, do func(x, y int)) {
	for y := p.Bounds().Min.Y; y < p.Bounds().Max.Y; y++ {
		for x := p.Bounds().Min.X; x < p.Bounds().Max.X; x++ {
			do(x, y)
		}
	}
}

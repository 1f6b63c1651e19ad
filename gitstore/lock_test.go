package gitstore

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
)

// Each of many writers comes to its turn, however busy the others are: who has
// written waits behind those who wait already, and chance has little to say.
func TestTurns(t *testing.T) {
	const (
		writers = 16
		turns   = 40
		most    = 5 * writers // by chance, one of so many waits for more than this
	)
	r := gittest.New(t)
	var (
		writing  sync.WaitGroup
		served   atomic.Int64
		held     atomic.Bool
		overtook [writers]int64
	)
	for w := range writers {
		s := open(t, r)
		writing.Go(func() {
			for range turns {
				came := served.Load()
				unlock, err := s.lock(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				if held.Swap(true) {
					t.Error("two hold the lock at once")
				}
				overtook[w] = max(overtook[w], served.Add(1)-came)
				time.Sleep(time.Millisecond)
				held.Store(false)
				unlock()
			}
		})
	}
	writing.Wait()
	t.Logf("turns of others that each waited for, at most: %d", overtook)
	for w, n := range overtook {
		if n > most {
			t.Errorf("writer %d waited while others wrote %d times", w, n)
		}
	}
}

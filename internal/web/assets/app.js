// The pages work without this script. It folds the tree, moves by keyboard,
// searches, tells how long ago things were, and keeps the page up to date.
"use strict";
(() => {
  const html = document.documentElement;
  const script = document.currentScript;
  const isStatic = "static" in html.dataset;
  const $ = (sel, from = document) => from.querySelector(sel);
  const $$ = (sel, from = document) => [...from.querySelectorAll(sel)];
  const say = text => { const s = $("#said"); s.textContent = ""; s.textContent = text; };

  // How long ago things were.
  const units = [["year", 31536000], ["month", 2592000], ["day", 86400], ["hour", 3600], ["minute", 60]];
  const rel = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  function ages(from = document) {
    for (const t of $$("time", from)) {
      const s = (new Date(t.dateTime) - Date.now()) / 1000;
      if (Number.isNaN(s)) continue;
      t.title = t.dateTime;
      const u = units.find(u => Math.abs(s) >= u[1]);
      t.textContent = u ? rel.format(Math.round(s / u[1]), u[0]) : "just now";
    }
  }
  setInterval(ages, 60000);

  // Folding. What a person folded stays so when the page is brought up to date.
  function fold(li, folded) {
    li.classList.toggle("folded", folded);
    li.dataset.mine = "";
    const b = $(":scope > .fold", li);
    if (b) b.setAttribute("aria-expanded", String(!folded));
  }
  document.addEventListener("click", e => {
    const b = e.target.closest(".fold");
    if (b) { fold(b.parentElement, !b.parentElement.classList.contains("folded")); return; }
    const all = e.target.closest("[data-fold]");
    if (all) {
      for (const li of $$("#tree .has")) {
        const settled = !$(".s-pending, .s-in-progress, .s-blocked, .s-failed", li.querySelector("ul"));
        fold(li, all.dataset.fold === "all" || all.dataset.fold === "settled" && settled);
      }
      return;
    }
    if (e.target.closest("[data-help]")) help();
    const fit = e.target.closest("[data-fit]");
    if (fit) fit.setAttribute("aria-pressed", String($(".drawing").classList.toggle("fit")));
  });

  // The keyboard.
  const rows = () => $$("[data-row]").filter(r => r.offsetParent !== null);
  function step(by) {
    const all = rows();
    if (!all.length) return;
    const at = all.indexOf(document.activeElement);
    const next = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, at + by))];
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest" });
  }
  function turn(folded) {
    let li = document.activeElement.closest("li");
    if (!li || !li.closest(".tree")) return false;
    if (folded && (!li.classList.contains("has") || li.classList.contains("folded"))) {
      const up = li.parentElement.closest("li");
      if (!up) return true;
      li = up;
      $("[data-row]", li).focus();
      return true;
    }
    if (li.classList.contains("has")) fold(li, folded);
    return true;
  }
  function help() { const d = $("#help"); if (!d.open) d.showModal(); }
  function up() {
    const a = $("[data-up]") || $(".tabs [aria-current]") && $(".brand") || $(".tabs a");
    if (a) a.click();
  }
  const keys = {
    j: () => step(1), ArrowDown: () => step(1), k: () => step(-1), ArrowUp: () => step(-1),
    h: () => turn(true), ArrowLeft: () => turn(true), l: () => turn(false), ArrowRight: () => turn(false),
    "/": () => { const q = $("#q"); if (q.offsetParent === null) return false; q.focus(); q.select(); }, "?": help, u: up,
  };
  for (const n of "1234") keys[n] = () => { const t = $$(".tabs a")[n - 1]; if (!t) return false; t.click(); };
  document.addEventListener("keydown", e => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.isComposing) return;
    const el = e.target;
    const typing = el.matches("input:not([type=checkbox]), select, textarea");
    if (typing) {
      if (e.key === "Escape" && el.id === "q") { el.value = ""; el.dispatchEvent(new Event("input", { bubbles: true })); el.blur(); $("#main").focus({ preventScroll: true }); }
      if (e.key === "ArrowDown" && el.id === "q") { e.preventDefault(); step(1); }
      return;
    }
    if ($("#help").open) return;
    if (e.key.startsWith("Arrow") && !el.matches("[data-row], .fold, body, main")) return;
    const act = keys[e.key];
    if (act && act() !== false) e.preventDefault();
  });

  // Bringing a page up to date: the new page is laid over the old one, element by
  // element, so that what did not change keeps its place, its focus and its folds.
  function same(a, b) {
    return a.nodeType === b.nodeType && a.nodeName === b.nodeName && (a.nodeType !== 1 ||
      (a.dataset.key || "") === (b.dataset.key || "") && a.id === b.id);
  }
  function lay(old, now) {
    if (old.nodeType !== 1) {
      if (old.nodeValue !== now.nodeValue && !(old.parentElement && old.parentElement.nodeName === "TIME")) old.nodeValue = now.nodeValue;
      return;
    }
    const mine = "mine" in old.dataset;
    for (const { name } of [...old.attributes]) {
      if (!now.hasAttribute(name) && !["open", "data-mine", "title"].includes(name) && !(mine && name === "class")) old.removeAttribute(name);
    }
    for (const { name, value } of [...now.attributes]) {
      if (name === "open" || mine && name === "class" || name === "aria-expanded" && "mine" in old.parentElement.dataset) continue;
      if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    }
    if (old.nodeName === "TIME") { if (old.dateTime !== now.dateTime || !old.title) old.textContent = now.textContent; return; }
    if (old.nodeName === "SELECT") return;
    if (old.dataset.key !== undefined && own(old) !== own(now)) flash(old);
    let at = old.firstChild;
    const keys = new Set([...now.children].map(c => c.dataset.key));
    for (const n of [...now.childNodes]) {
      while (at && hasKey(at) && !keys.has(at.dataset.key)) { const gone = at; at = at.nextSibling; gone.remove(); }
      let o = at;
      while (o && !same(o, n)) o = o.nextSibling;
      if (o && o !== at && hasKey(n)) { // it came up: those between stay where they are
        old.insertBefore(o, at);
        lay(o, n);
      } else if (o && (o === at || !keyed(at, o))) {
        while (at !== o) { const gone = at; at = at.nextSibling; gone.remove(); }
        at = o.nextSibling;
        lay(o, n);
      } else {
        const fresh = document.importNode(n, true);
        old.insertBefore(fresh, at);
        if (hasKey(fresh)) flash(fresh);
      }
    }
    while (at) { const gone = at; at = at.nextSibling; gone.remove(); }
  }
  function hasKey(n) { return n.dataset !== undefined && n.dataset.key !== undefined; }
  // keyed: whether an element with a key stands from one node up to another.
  function keyed(a, b) { for (; a && a !== b; a = a.nextSibling) if (hasKey(a)) return true; return false; }
  // own: the text of an element without that of elements with keys below it.
  function own(el) {
    let text = el.className.replace(/ ?\b(folded|fresh)\b/g, "");
    for (const c of el.childNodes) {
      if (c.nodeType === 3) text += c.nodeValue.trim();
      else if (c.nodeType === 1 && c.nodeName !== "TIME" && c.dataset.key === undefined && !c.querySelector("[data-key]")) text += c.textContent.replace(/\s+/g, " ") + c.getAttribute("class");
    }
    return text;
  }
  function flash(el) {
    el.classList.remove("fresh");
    void el.offsetWidth;
    el.classList.add("fresh");
    setTimeout(() => el.classList.remove("fresh"), 2500);
  }

  let asked = 0;
  async function load(url, spoken) {
    const mine = ++asked;
    const answer = await fetch(url, { credentials: "omit", redirect: "error" });
    const text = await answer.text();
    if (mine !== asked) return false;
    const doc = new DOMParser().parseFromString(text, "text/html");
    if (!$("#main", doc)) return false;
    const focus = document.activeElement;
    const key = focus && focus.closest("[data-key]") && focus.closest("[data-key]").dataset.key;
    lay($("#main"), $("#main", doc));
    lay($(".top nav"), $(".top nav", doc));
    $("footer p").firstChild.nodeValue = $("footer p", doc).firstChild.nodeValue;
    const code = $("footer code"), next = $("footer code", doc);
    if (code && next) code.textContent = next.textContent;
    document.title = doc.title;
    html.dataset.tip = doc.documentElement.dataset.tip;
    if (focus && focus.isConnected && document.activeElement !== focus) focus.focus({ preventScroll: true }); // it was moved
    if (focus && !focus.isConnected && key) { const el = $(`[data-key="${CSS.escape(key)}"] [data-row]`); if (el) el.focus({ preventScroll: true }); }
    ages($("#main"));
    again();
    if (spoken) say(spoken);
    return true;
  }
  // again: a search that has not seen all plans yet is asked once more.
  let waiting = 0;
  function again() {
    clearTimeout(waiting);
    if ($("[data-again]")) waiting = setTimeout(() => load(location.href).catch(() => { }), 700);
  }

  // Live: a page that is seen asks once a second where the ref is.
  let looked = 0, timer = 0;
  function state(on) { const s = $("#live"); if (!s) return; s.dataset.state = on ? "on" : "off"; s.textContent = on ? "live" : "not live"; }
  async function follow() {
    const mine = ++looked;
    clearTimeout(timer);
    if (document.visibilityState !== "visible") { state(false); return; }
    let wait = 1000;
    try {
      const answer = await fetch(script.dataset.follow, { cache: "no-store" });
      if (!answer.ok) throw new Error(answer.status);
      const tip = await answer.text();
      if (mine !== looked) return;
      state(true);
      if (tip !== html.dataset.tip) await load(location.href, "The page was brought up to date.").catch(() => { });
    } catch { state(false); wait = 5000; }
    if (mine === looked) timer = setTimeout(follow, wait);
  }
  if (!isStatic && script.dataset.follow) {
    follow();
    document.addEventListener("visibilitychange", follow);
    addEventListener("pagehide", () => { looked++; clearTimeout(timer); });
    addEventListener("pageshow", e => { if (e.persisted) follow(); });
  }

  // Search.
  const q = $("#q");
  let pause = 0;
  async function ask() {
    const list = new URL($(".brand").href);
    const here = new URL(location.href);
    if (here.pathname !== list.pathname) return; // on another page, Enter asks
    here.searchParams.delete("page");
    if (q.value.trim()) here.searchParams.set("q", q.value.trim()); else here.searchParams.delete("q");
    if (await load(here.href)) {
      history.replaceState(null, "", here.href);
      const n = $("#count");
      say(n ? n.textContent : "No plan matches.");
    }
  }
  if (q && !isStatic) {
    q.addEventListener("input", () => { clearTimeout(pause); pause = setTimeout(() => ask().catch(() => { }), 150); });
    const form = q.form;
    form.addEventListener("submit", e => {
      if (new URL(form.action).pathname === location.pathname) { e.preventDefault(); clearTimeout(pause); ask().catch(() => { }); }
    });
  }
  // A page from a folder has no server to ask: a script brings the words of all
  // plans, and what fits is listed here.
  if (q && isStatic && script.dataset.words) {
    q.form.hidden = false;
    q.form.addEventListener("submit", e => e.preventDefault());
    const root = new URL(".", new URL($(".brand").href, location.href)).href;
    let words = null, status = "all";
    const node = (name, text, to, kind) => { const e = document.createElement(name); if (text) e.textContent = text; if (kind) e.className = kind; if (to) to.append(e); return e; };
    const holds = (text, parts) => { text = text.toLowerCase(); return parts.every(w => text.includes(w)); };
    const named = p => p.id + "\n" + p.title + "\n" + p.goal;
    const task = t => t.id + " " + t.title;
    function wanted() { return q.value.toLowerCase().split(/\s+/).filter(Boolean); }
    function fits(p, parts) {
      if (status === "archived" ? !p.archived : status !== "all" && p.status !== status) return false;
      return holds(named(p) + "\n" + p.tasks.map(task).join("\n"), parts);
    }
    function card(p, parts, to) {
      const box = node("article", "", node("li", "", to), "card");
      const a = node("a", p.title || p.id, node("h2", "", box));
      a.href = root + p.link;
      a.dataset.row = "";
      const meta = node("p", "", box, "meta");
      node("span", p.status, meta, "status s-" + p.mark);
      node("code", p.id, meta);
      if (p.archived) node("span", "archived", meta, "tag");
      if (holds(named(p), parts)) return;
      for (const t of p.tasks.filter(t => parts.some(w => task(t).toLowerCase().includes(w))).slice(0, 3)) {
        node("a", t.title, node("p", "", box, "hit")).href = root + t.link;
      }
    }
    function find() {
      const parts = wanted(), all = status === "all" && !parts.length;
      let box = $("#found");
      if (!box) { box = node("div"); box.id = "found"; $("#main").prepend(box); }
      box.hidden = all;
      const list = $("#list");
      if (list) for (const el of [list, $(".pager")]) if (el) el.hidden = !all;
      box.textContent = "";
      if (all || !words) return;
      const found = words.filter(p => fits(p, parts));
      const text = found.length + (found.length === 1 ? " plan" : " plans");
      node("p", text + (found.length > 100 ? ", of which 100 are shown" : ""), box, "sub");
      const ul = node("ul", "", box, "list");
      for (const p of found.slice(0, 100)) card(p, parts, ul);
      say(text);
    }
    window.gitPlanWords = list => { words = list; find(); };
    function need() {
      if (words || $("#words")) { find(); return; }
      const s = node("script");
      s.id = "words";
      s.src = script.dataset.words;
      document.head.append(s);
    }
    q.addEventListener("focus", need);
    q.addEventListener("input", () => { clearTimeout(pause); pause = setTimeout(need, 80); });
    document.addEventListener("click", e => {
      const chip = e.target.closest(".chip");
      if (!chip) return;
      e.preventDefault();
      status = chip.dataset.key;
      for (const c of $$(".chip")) if (c === chip) c.setAttribute("aria-current", "true"); else c.removeAttribute("aria-current");
      need();
    });
    if (q.value) need();
  }

  ages();
  again();
})();

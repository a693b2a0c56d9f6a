// The rater's page: shows the first item of the queue, sends each answer until it is acknowledged, keeps pictures ahead.
"use strict";

const element = (id) => document.getElementById(id);
const choiceNames = document.body.dataset.choices.split(" ");
const buttons = [...document.querySelectorAll(".choice")];
const captions = [...document.querySelectorAll(".caption")];
const preloaded = new Map();
// Items whose picture did not load: they stay unrated and come last, the one that failed longest ago first.
const putOff = new Set();
const RETRY_LONGEST = 8000;
const LOOK_AGAIN = 30000;
const PICTURE_TRIES = 2;
// The second half of a double click comes when the next item is already there: so soon nothing is an answer.
const SHORTEST_LOOK = 300;
const NOTHING = { queue: [], rated: 0, left: 0, last: null };

let desk = NOTHING;
let busy = true;
let shownAt = 0;
let away = 0;
let awaySince = null;
let lookAgain = null;

const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

function say(text, warn = false) {
  element("status").textContent = text || "\u00a0";
  element("status").classList.toggle("warn", warn);
}

// Sends until there is an answer: the server takes the same request twice for one.
async function send(path, body) {
  for (let pause = 500; ; pause = Math.min(2 * pause, RETRY_LONGEST)) {
    try {
      const response = await fetch(path, {
        method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
      });
      if (response.ok) return await response.json();
      const problem = (await response.json().catch(() => ({}))).error || "The server has a problem.";
      if (response.status !== 429 && response.status < 500) return { closed: problem };
      say(problem, true);
    } catch {
      say("No connection. Your answer is kept here and sent again …", true);
    }
    await wait(pause);
  }
}

function clockStops() { if (awaySince === null) awaySince = performance.now(); }

function clockGoesOn() {
  if (awaySince !== null && !document.hidden && !document.querySelector("dialog[open]")) {
    away += performance.now() - awaySince;
    awaySince = null;
  }
}

function lookedFor() {
  const now = performance.now();
  return Math.max(0, Math.round(now - shownAt - away - (awaySince === null ? 0 : now - awaySince)));
}

function address(item) { return `picture/${item.picture}`; }

function preload(items) {
  const wanted = new Set(items.map(address));
  for (const known of preloaded.keys()) if (!wanted.has(known)) preloaded.delete(known);
  for (const source of wanted) {
    if (preloaded.has(source)) continue;
    const image = new Image();
    image.src = source;
    preloaded.set(source, image);
  }
}

// Not `disabled`: a button that is would lose the focus of those who work without a mouse.
function enable(ready) {
  busy = !ready;
  for (const button of buttons) button.setAttribute("aria-disabled", String(busy));
  element("undo").setAttribute("aria-disabled", String(!desk.last));
}

function press(choice) {
  for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.choice === choice));
}

function showProgress() {
  const total = desk.rated + desk.left;
  element("bar").max = Math.max(1, total);
  element("bar").value = desk.rated;
  element("count").textContent = `${desk.rated} rated, ${desk.left ? `up to ${desk.left}` : "none"} left`;
}

function close(title, text) {
  const open = element("end").hidden;
  document.querySelector("main").hidden = true;
  element("end").hidden = false;
  element("end-title").textContent = title;
  element("end-text").textContent = text;
  if (open) element("end").focus();
}

function showEnd() {
  close("Thank you!", "There is nothing left for you to rate at the moment. All your answers are saved. If other raters leave items behind, they will appear here.");
  enable(false);
  busy = false; // Nothing to answer, but the last answer can be taken back.
  clearTimeout(lookAgain);
  lookAgain = setTimeout(refresh, LOOK_AGAIN);
}

function inOrder(queue) {
  const late = [...putOff];
  return [...queue].sort((one, other) => late.indexOf(one.item) - late.indexOf(other.item));
}

function putOffFirst() {
  const { item } = desk.queue[0];
  putOff.delete(item);
  putOff.add(item);
  desk.queue = inOrder(desk.queue);
  say("A picture did not load; its item comes again later.", true);
  show();
}

async function showPicture(item) {
  const picture = element("picture");
  // Until the new picture is there, the old one must not stand beside the new caption.
  picture.hidden = !preloaded.get(address(item))?.complete;
  for (let tries = 1, pause = 1000; item === desk.queue[0]; tries++, pause = Math.min(2 * pause, RETRY_LONGEST)) {
    picture.src = address(item);
    try {
      await picture.decode();
      picture.hidden = false;
      putOff.delete(item.item);
      return;
    } catch {
      if (item !== desk.queue[0]) return;
      picture.hidden = true;
      say("The picture did not load; trying again …", true);
      await wait(pause);
    }
    if (tries === PICTURE_TRIES && desk.queue.length > 1 && item === desk.queue[0]) { putOffFirst(); return; }
  }
}

async function show() {
  const item = desk.queue[0];
  showProgress();
  if (!item) { showEnd(); return; }
  document.querySelector("main").hidden = false;
  element("end").hidden = true;
  captions.forEach((place, number) => {
    place.textContent = item.captions[number] || "(this caption is empty)";
    place.classList.toggle("empty", !item.captions[number]);
  });
  element("captions").scrollTop = 0;
  press(item.choice);
  await showPicture(item);
  if (item !== desk.queue[0]) return;
  shownAt = performance.now();
  away = 0;
  awaySince = null;
  if (document.hidden || document.querySelector("dialog[open]")) clockStops();
  preload(desk.queue);
  await wait(SHORTEST_LOOK);
  if (item === desk.queue[0]) enable(true);
}

async function receive(found, words) {
  if (found.closed) {
    desk = NOTHING;
    enable(false);
    close("This page is closed", found.closed);
    return;
  }
  desk = { ...found, queue: inOrder(found.queue) };
  say(words);
  await show();
}

async function refresh() {
  enable(false);
  await receive(await send("rate/desk", {}), "");
}

async function answer(choice) {
  const item = desk.queue[0];
  if (busy || !item) return;
  const milliseconds = lookedFor();
  enable(false);
  press(choice);
  const found = await send("rate/answer", { item: item.item, turn: item.turn, choice, milliseconds });
  const label = buttons[choiceNames.indexOf(choice)].querySelector(".label").textContent;
  await receive(found, `Saved: ${label}.`);
}

async function undo() {
  if (busy || !desk.last) return;
  const last = desk.last;
  enable(false);
  await receive(await send("rate/undo", last), "Your last answer is taken back; answer again.");
}

function open(id) {
  if (document.querySelector("dialog[open]")) return;
  clockStops();
  element(id).showModal();
}

for (const button of buttons) button.addEventListener("click", () => answer(button.dataset.choice));
element("undo").addEventListener("click", undo);
element("help").addEventListener("click", () => open("definitions"));
element("pause").addEventListener("click", () => open("paused"));
for (const dialog of document.querySelectorAll("dialog")) {
  dialog.querySelector(".close").addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", clockGoesOn);
}
document.addEventListener("visibilitychange", () => (document.hidden ? clockStops() : clockGoesOn()));
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
  const dialog = document.querySelector("dialog[open]");
  if (dialog) {
    if (["?", "p", "P"].includes(event.key)) { event.preventDefault(); dialog.close(); }
    return;
  }
  const place = Number(event.key) - 1;
  if (choiceNames[place]) answer(choiceNames[place]);
  else if (event.key === "u" || event.key === "U") undo();
  else if (event.key === "?") open("definitions");
  else if (event.key === "p" || event.key === "P") open("paused");
  else return;
  event.preventDefault();
});

let first = true;
try {
  const seen = `definitions of ${choiceNames}`;
  first = localStorage.getItem(seen) === null;
  localStorage.setItem(seen, "1");
} catch { /* A browser that keeps nothing shows the definitions each time. */ }
if (first) open("definitions");
refresh();

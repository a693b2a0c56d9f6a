// The owner's page: asks for the state every few seconds, makes links, pauses raters.
"use strict";

const element = (id) => document.getElementById(id);
const EVERY = 4000;
const OFFLINE = "No connection to the server; trying again …";

function say(text, warn = false) {
  element("status").textContent = text || "\u00a0";
  element("status").classList.toggle("warn", warn);
}

async function ask(path, body) {
  const options = body === undefined ? {} : {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  };
  const response = await fetch(path, options).catch(() => { throw new Error(OFFLINE); });
  const found = await response.json().catch(() => ({ error: OFFLINE }));
  if (!response.ok) throw new Error(found.error);
  return found;
}

// Each cell knows its column's heading: on a phone it stands above the cell.
function row(table, cells) {
  const line = document.createElement("tr");
  cells.forEach((cell, column) => {
    const place = document.createElement("td");
    place.dataset.heading = element(table).tHead.rows[0].cells[column].textContent;
    place.append(cell);
    line.append(place);
  });
  return line;
}

function pauseButton(rater) {
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.rater = rater.number;
  button.textContent = rater.paused ? "Resume" : "Pause";
  button.setAttribute("aria-label", `${button.textContent} ${rater.name}`);
  button.addEventListener("click", () => attempt(async () => {
    show(await ask("owner/pause", { rater: rater.number, paused: !rater.paused }));
    say(rater.paused ? `${rater.name} may go on.` : `${rater.name} is paused; items in hand went to others.`);
  }));
  return button;
}

function seen(time) {
  if (time === null) return "never";
  const date = new Date(time);
  return date.toDateString() === new Date().toDateString()
    ? date.toLocaleTimeString(undefined, { timeStyle: "short" }) : date.toLocaleDateString(undefined, { dateStyle: "short" });
}

let shown = "";

function show(state) {
  const text = JSON.stringify(state);
  if (text === shown) return;
  shown = text;
  element("answers").textContent = `${state.answers} of ${state.wanted}`;
  element("finished").textContent = `${state.finished} of ${state.items}`;
  element("agreement").textContent = state.agreement === null ? "–" : state.agreement.toFixed(2);
  element("bar").max = Math.max(1, state.wanted);
  element("bar").value = state.answers;
  const raters = state.raters.map((r) => row("raters", [
    r.paused ? `${r.name} (paused)` : r.name, r.counted, r.late, r.open, r.undone, seen(r.seen), pauseButton(r),
  ]));
  const systems = state.systems.map((s) => row("systems", [
    s.name, s.items, s.answers, s.wanted, `${Math.floor((100 * s.answers) / Math.max(1, s.wanted))} %`,
  ]));
  const focused = document.activeElement?.dataset?.rater;
  element("raters").tBodies[0].replaceChildren(...raters);
  if (focused) element("raters").querySelector(`[data-rater="${focused}"]`)?.focus();
  element("systems").tBodies[0].replaceChildren(...systems);
}

async function attempt(work) {
  try {
    await work();
  } catch (problem) {
    say(problem.message, true);
  }
}

async function watch() {
  for (;;) {
    if (!document.hidden) await attempt(async () => {
      show(await ask("owner/state"));
      if (element("status").textContent === OFFLINE) say("");
    });
    await new Promise((resolve) => setTimeout(resolve, EVERY));
  }
}

element("invite").addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(async () => {
    const made = await ask("owner/invite", { name: element("name").value });
    element("invited").textContent = made.name;
    element("address").value = new URL(made.link, location.href).href;
    element("link").hidden = false;
    element("name").value = "";
    say(`A link for ${made.name} was made.`);
    show(await ask("owner/state"));
  });
});
element("copy").addEventListener("click", async () => {
  element("address").select();
  try {
    await navigator.clipboard.writeText(element("address").value);
    say("Copied.");
  } catch { // Browsers lend the clipboard to HTTPS and loopback only.
    say("The link is marked; copy it with your keyboard or the menu.");
  }
});
watch();

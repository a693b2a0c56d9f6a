"""The rating page under load: simulated raters at a steady rate on loopback; seconds of each answer, and no error.

Usage: python bench/study_load.py [--raters 200] [--rate 20] [--seconds 60] [--half-open 1300]

A study of 200 pictures and 800 captions is made in a temporary folder and served by a process of its own. Every rater
has a connection, opens the page, loads the pictures of the queue as a browser does, and answers on schedule: when an
answer takes long, the next one is not put off. Afterwards the database is checked: as many answers as were
acknowledged, none twice, no item with more than three. Prints Markdown.

With --half-open, a server with at most 1,024 open files is attacked all the while from another loopback address: by so
many connections that send half a head and wait, each opened anew 5 s after it is closed, and a stranger opens the first
page every second.
"""

import argparse
import asyncio
import json
import os
import re
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import numpy as np
from PIL import Image

from spidercap.study.create import new_study
from spidercap.study.plan import Wishes
from spidercap.study.scales import FOUR_POINT
from spidercap.study.simulate import SimulatedRater, answer_next
from spidercap.study.store import Store
from spidercap.web.keys import new_key

PICTURES, SYSTEMS, RATERS_PER_ITEM = 200, 4, 3
ATTACKER = "127.0.0.9"
OPEN_FILES = 1024


def make_study(folder: Path, raters: int) -> tuple[Path, list[str]]:
    """A study, and the token of each rater."""
    images = folder / "images"
    images.mkdir()
    dice = np.random.default_rng(0)
    for number in range(PICTURES):
        noise = dice.integers(0, 256, size=(60, 80, 3), dtype=np.uint8)
        Image.fromarray(noise).resize((640, 480)).save(images / f"{number}.jpg", quality=85)
    systems = {}
    for system in range(SYSTEMS):
        path = folder / f"system{system}.json"
        path.write_text(json.dumps({str(n): f"caption {n} of system {system} " * 2 for n in range(PICTURES)}))
        systems[path.stem] = path
    new_study(folder / "study", systems, [], images, Wishes(raters=RATERS_PER_ITEM, control=0))
    store = Store(folder / "study")
    keys = [new_key() for _ in range(raters)]
    for number, key in enumerate(keys):
        store.invite(f"rater {number}", key.hash)
    store.close()
    return folder / "study", [key.text for key in keys]


class LoadRater:
    """One simulated rater with a connection, and the seconds that each of its requests took."""

    def __init__(self, number: int, address: str, token: str) -> None:
        self._simulated = SimulatedRater(str(number))
        self._client = httpx.AsyncClient(base_url=address, trust_env=False, timeout=60, follow_redirects=True)
        self._token, self._desk, self._seen = token, dict[str, Any](), set[str]()
        self.answers: list[float] = []
        self.pictures: list[float] = []
        self.errors = 0

    async def enter(self) -> None:
        """Open the page and take the first items."""
        self._check(await self._client.get(f"/rate?token={self._token}"))
        reply = await self._client.post("/rate/desk", json={})
        self._check(reply)
        self._desk = reply.json()
        await self._load_pictures()

    async def answer(self) -> None:
        """Answer one item; then load what the queue shows anew."""
        begin = time.perf_counter()
        reply = await answer_next(self._client, self._simulated, FOUR_POINT, self._desk)
        self.answers.append(time.perf_counter() - begin)
        if self._check(reply):
            self._desk = reply.json()
        await self._load_pictures()

    async def close(self) -> None:
        """Leave."""
        await self._client.aclose()

    async def _load_pictures(self) -> None:
        for item in self._desk["queue"]:
            if item["picture"] not in self._seen:
                self._seen.add(item["picture"])
                begin = time.perf_counter()
                self._check(await self._client.get(f"/picture/{item['picture']}"))
                self.pictures.append(time.perf_counter() - begin)

    def _check(self, reply: httpx.Response) -> bool:
        self.errors += reply.status_code != 200
        return reply.status_code == 200


class Attack:
    """Connections that send half a head and wait, and a stranger who opens the first page meanwhile."""

    def __init__(self, address: str, count: int) -> None:
        self._address, self._count = address, count
        self._tasks: list[asyncio.Task[None]] = []
        self.opened = 0
        self.pages: list[float] = []

    async def __aenter__(self) -> "Attack":
        self._tasks = [asyncio.create_task(self._hold()) for _ in range(self._count)]
        if self._count:
            self._tasks.append(asyncio.create_task(self._open_page()))
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _hold(self) -> None:
        host, port = self._address.removeprefix("http://").split(":")
        while True:
            with suppress(OSError):
                reader, writer = await asyncio.open_connection(host, int(port), local_addr=(ATTACKER, 0))
                self.opened += 1
                writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nX-Half: ")
                await reader.read()
                writer.close()
            await asyncio.sleep(5)

    async def _open_page(self) -> None:
        while True:
            begin = time.perf_counter()
            async with httpx.AsyncClient(base_url=self._address, trust_env=False, timeout=60) as client:
                (await client.get("/")).raise_for_status()
            self.pages.append(time.perf_counter() - begin)
            await asyncio.sleep(1)


async def load(
    address: str, tokens: list[str], rate: float, seconds: float, half_open: int
) -> tuple[list[LoadRater], Attack]:
    """All raters at work, their answers evenly spread, and the attack."""
    async with Attack(address, half_open) as attack:
        return await work(address, tokens, rate, seconds), attack


async def work(address: str, tokens: list[str], rate: float, seconds: float) -> list[LoadRater]:
    """All raters at work, their answers evenly spread."""
    raters = [LoadRater(number, address, token) for number, token in enumerate(tokens)]
    for rater in raters:
        await rater.enter()
    begin = time.perf_counter()
    tasks = []
    for number in range(round(rate * seconds)):
        await asyncio.sleep(max(0.0, begin + number / rate - time.perf_counter()))
        tasks.append(asyncio.create_task(raters[number % len(raters)].answer()))
    await asyncio.gather(*tasks)
    for rater in raters:
        await rater.close()
    return raters


def check(study: Path, raters: list[LoadRater]) -> None:
    """The database holds what was acknowledged, once."""
    store = Store(study)
    answers = store.answers()
    counts = Counter(answer.item for answer in answers if answer.counted)
    acknowledged = sum(len(rater.answers) for rater in raters) - sum(rater.errors for rater in raters)
    doubled = len(answers) - len({(answer.item, answer.rater) for answer in answers})
    if len(answers) != acknowledged or doubled or max(counts.values()) > RATERS_PER_ITEM:
        raise SystemExit(f"{acknowledged} answers were acknowledged and {len(answers)} are stored, {doubled} twice")
    store.close()


def row(what: str, values: list[float], errors: int) -> str:
    """One line of the table."""
    cuts = statistics.quantiles(values, n=100)
    middle, high, higher = (f"{1000 * cuts[place]:.0f} ms" for place in (49, 94, 98))
    return f"| {what} | {len(values):,} | {errors} | {middle} | {high} | {higher} | {1000 * max(values):.0f} ms |"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--raters", type=int, default=200)
    parser.add_argument("--rate", type=float, default=20)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--half-open", type=int, default=0)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        study, tokens = make_study(Path(folder), asked.raters)
        command = [sys.executable, "-m", "spidercap", "study", "serve", str(study), "--port", "0"]
        files = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN_FILES, files[1]))
        log = Path(folder) / "standard-error"
        with log.open("w") as errors_file:
            server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors_file, text=True)
        resource.setrlimit(resource.RLIMIT_NOFILE, (files[1], files[1]))
        assert server.stdout is not None
        found = re.search(r"http://[\d.:]+", server.stdout.readline())
        assert found
        raters, attack = asyncio.run(load(found[0], tokens, asked.rate, asked.seconds, asked.half_open))
        server.send_signal(signal.SIGINT)
        _, status, usage = os.wait4(server.pid, 0)
        server.returncode = os.waitstatus_to_exitcode(status)
        check(study, raters)
        told = log.stat().st_size
    errors = sum(rater.errors for rater in raters)
    print("| request | requests | errors | median | p95 | p99 | longest |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    print(row("answer", [value for rater in raters for value in rater.answers], errors))
    print(row("picture", [value for rater in raters for value in rater.pictures], 0))
    if asked.half_open:
        print(row("first page, by a stranger", attack.pages, 0))
        print(f"\n{attack.opened:,} half-open connections.", end="")
    cpu, memory = usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024
    print(f"\nServer: {cpu:.1f} CPU-seconds, {memory:.0f} MB, {told:,} bytes on standard error; ", end="")
    print(f"load of the machine {os.getloadavg()[0]:.1f}.")


if __name__ == "__main__":
    main()

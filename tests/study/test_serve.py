"""The real server: killed, in use, in the way; over real sockets."""

import os
import re
import signal
import subprocess
import sys
from contextlib import contextmanager

import httpx
import pytest

from spidercap.errors import DataError
from spidercap.study.serve import check_sources, sole_server
from spidercap.study.store import Store
from spidercap.web.keys import new_key


@contextmanager
def server(folder, *options):
    """A server in a process of its own; yields the process and its address."""
    command = [sys.executable, "-m", "spidercap", "study", "serve", str(folder), "--port", "0", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        line = process.stdout.readline()
        found = re.search(r"http://[\d.]+:\d+", line)
        assert found, line + process.stderr.read()
        yield process, found[0]
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()


def enter(address, token):
    client = httpx.Client(base_url=address, follow_redirects=True, trust_env=False)
    assert client.get(f"/rate?token={token}").status_code == 200
    return client


def invited(folder, *names):
    store = Store(folder)
    keys = {name: new_key() for name in names}
    for name, key in keys.items():
        store.invite(name, key.hash)
    store.close()
    return {name: key.text for name, key in keys.items()}


def test_acknowledged_answers_survive_sigkill_and_work_goes_on(material):
    folder = material.study()
    tokens = invited(folder, "anna", "ben")
    acknowledged = []
    for _ in range(2):
        with server(folder) as (process, address):
            clients = {name: enter(address, token) for name, token in tokens.items()}
            for name, client in clients.items():
                desk = client.post("/rate/desk", json={}).json()
                for _ in range(3):
                    item = desk["queue"][0]
                    body = {"item": item["item"], "turn": item["turn"], "choice": "good", "milliseconds": 5}
                    desk = client.post("/rate/answer", json=body).raise_for_status().json()
                    acknowledged.append((name, item["item"]))
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
            for client in clients.values():
                client.close()
    store = Store(folder)
    codes = {item.number: item.code for item in store.item_records()}
    assert [(answer.rater, codes[answer.item]) for answer in store.answers()] == acknowledged
    assert store._connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"


def test_a_study_has_one_server(material):
    folder = material.study()
    with server(folder), pytest.raises(DataError, match="is in use by another server; stop that one first"), \
            sole_server(folder):  # fmt: skip
        pass
    with sole_server(folder):
        pass


def test_the_server_stops_politely_and_says_where_it_is(material):
    with server(material.study()) as (process, address):
        assert address.startswith("http://127.0.0.1:")
        assert httpx.get(address, trust_env=False).status_code == 200
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == 0
        assert process.stderr.read() == ""


def test_a_changed_results_file_stops_the_server_unless_told(material, capsys):
    folder = material.study()
    material.write("fancy", {"p000": "other"})
    store = Store(folder)
    with pytest.raises(DataError, match=r"fancy.json has changed since the study was made.*`keep_captions`"):
        check_sources(store, keep_captions=False)
    check_sources(store, keep_captions=True)
    assert "fancy.json has changed; raters see the captions of when" in capsys.readouterr().err

"""The hold model in SimPy: N processes that wait an exponential time, for ever. Prints events a second of processor time as JSON.

Usage: /usr/bin/python3 hold.py PENDING EVENTS
"""

import json
import platform
import random
import sys
import time

import simpy

MEAN_MS = 1_000_000


def hold(env, rng):
    while True:
        yield env.timeout(rng.expovariate(1 / MEAN_MS))


def main():
    pending, events = int(sys.argv[1]), int(sys.argv[2])
    env = simpy.Environment()
    rng = random.Random(1)
    for _ in range(pending):
        env.process(hold(env, rng))
    for _ in range(pending + events // 10):  # the event that starts each process, and a warm-up
        env.step()
    started = time.process_time()
    for _ in range(events):
        env.step()
    seconds = time.process_time() - started
    version = getattr(simpy, "__version__", "unknown")
    print(json.dumps({"rate": events / seconds, "versions": f"SimPy {version}, Python {platform.python_version()}"}))


main()

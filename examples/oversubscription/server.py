"""A server as i-PI is one: it moves 32 beads, and has their forces from whoever connects.

python server.py SOCKET STEPS [CLIENTS]    begins when so many clients are there (1)
"""
import os
import queue
import signal
import socket
import sys
import threading

BEADS = 32
path, steps = sys.argv[1], int(sys.argv[2])
clients = int(sys.argv[3]) if len(sys.argv) > 3 else 1


def serve(client, beads, done):
    """One client: a bead that it was given and did not answer is given to another one."""
    stream = client.makefile("rw")
    while True:
        bead = beads.get()
        if bead is None:
            client.sendall(b"EXIT\n")
            return
        try:
            stream.write(f"{bead}\n")
            stream.flush()
            if not stream.readline():
                raise OSError("it is gone")
            done.put(bead)
        except OSError:
            beads.put(bead)
            return


def accept(server, beads, done, threads):
    """More than it needs may come, and they may come later."""
    while True:
        client, _ = server.accept()
        thread = threading.Thread(target=serve, args=(client, beads, done), daemon=False)
        thread.start()
        threads.append(thread)
        arrived.release()


def end(signum, frame):
    print(f"server: signal {signum}, RESTART written", flush=True)
    open("RESTART", "w").close()
    os.unlink(path)
    os._exit(0)


signal.signal(signal.SIGTERM, end)
beads, done, threads = queue.Queue(), queue.Queue(), []
arrived = threading.Semaphore(0)
server = socket.socket(socket.AF_UNIX)
server.bind(path)
server.listen(4)
print(f"server: listening on {path}", flush=True)
threading.Thread(target=accept, args=(server, beads, done, threads), daemon=True).start()
for _ in range(clients):
    arrived.acquire()
for step in range(steps):
    for bead in range(BEADS):
        beads.put(bead)
    for _ in range(BEADS):
        done.get()
    print(f"step {step}", flush=True)
os.unlink(path)
for _ in threads:
    beads.put(None)
print("server: done", flush=True)

"""A warm parent: a Python that is started once and forked for each turn or match, so that none of them pays for the interpreter.

It runs nothing of the bot's itself: it is started in the root folder, with a home that does not exist, so that its start finds
nothing of the bot's. Where a fresh start would run what the bot has in its home, packages of its user and usercustomize, the
child makes one. A child otherwise is the new program as far as it can tell: its own arguments, environment, folder, streams,
__main__ and end. The launcher sends the words of each on descriptor 0. The child reports its number, and waits on descriptor 1
for its streams, with which its time begins; the parent waits until it is asked how that ended. For a program that stays it forks
twice, so that the child is the launcher's own. The script is compiled by the first child, in its own time; before the second the
parent compiles it, for all that follow. What cannot be the same is listed in docs/sandbox.md.

All is at the top level, because each function above the bot's module would be a level less of its recursion.
"""

import sys

if sys.version_info < (3, 11):
    raise SystemExit("of an older Python a child is not the same: each turn is a fresh start")
_before = set(sys.modules)
import _socket
import atexit
import gc
import os
import posix

_start = int(sys.argv[1])  # where the script stands in the command
_compiled = _key = _compiled_key = None
_wishes, _gate = [_socket.socket(_socket.AF_UNIX, _socket.SOCK_SEQPACKET, 0, os.dup(_each)) for _each in (0, 1)]
_space = _socket.CMSG_SPACE(12)
_loader = type(__loader__)
_module = type(sys)
for _name in set(sys.modules) - _before:
    del sys.modules[_name]
gc.collect()
gc.freeze()
_wishes.send(b"ready")

while True:
    _packet = _wishes.recv(70000)
    if not _packet:
        posix._exit(0)
    if len(_packet) == 1:
        _, _status, _used = os.wait4(_pid, 0)
        sys.modules.pop("resource", None)  # it brings its result's type along
        _cpu = int((_used.ru_utime + _used.ru_stime) * 1e9)
        _ending = ((_status, 4), (_cpu, 8))
        _wishes.send(b"".join(_each.to_bytes(_size, sys.byteorder) for _each, _size in _ending))
        continue
    _stays = _packet[4]
    _argc = int.from_bytes(_packet[:4], sys.byteorder)
    _words = [os.fsdecode(_each) for _each in _packet[8:-1].split(b"\0")]
    _argv = _words[1 : 1 + _argc]
    # A script by a relative path lies where the turn begins; as a main program it goes by its absolute one.
    _file = _argv[_start] if _argv[_start][:1] == "/" else _words[0] + "/" + _argv[_start]
    _last = _key
    try:
        _stat = posix.stat(_file)
        _key = (_file, _stat.st_ino, _stat.st_mtime_ns, _stat.st_size)
        if _key == _last != _compiled_key:
            _compiled_key = _key
            with open(_file, "rb") as _open:
                _compiled = compile(_open.read(), _file, "exec", dont_inherit=True)
            del _open
            gc.freeze()
    except BaseException:
        _key = _compiled_key = None  # no plain script (a folder, an archive), or none that compiles
    _pid = os.fork()
    if _pid == 0 and _stays and os.fork() != 0:
        posix._exit(0)
    if _pid == 0:
        break
    if _stays:
        posix.waitpid(_pid, 0)
        _wishes.send(b"+")

posix.setsid()
_wishes.send(posix.getpid().to_bytes(4, sys.byteorder))
_packet, _control, _, _ = _gate.recvmsg(1, _space)
if not _packet:
    posix._exit(0)
_fds = [int.from_bytes(_control[0][2][_each : _each + 4], sys.byteorder) for _each in (0, 4, 8)]
for _each in (0, 1, 2):
    posix.dup2(_fds[_each], _each)
for _each in _fds:
    posix.close(_each)
_wishes.close()
_gate.close()
posix.chdir(_words[0])
os.environ.clear()
for _each in _words[1 + _argc :]:
    _name, _, _value = _each.partition("=")
    os.environ[_name] = _value
if _key is None or _key != _compiled_key:
    try:
        with open(_file, "rb") as _open:
            _compiled = compile(_open.read(), _file, "exec", dont_inherit=True)
        del _open
    except BaseException:
        _compiled = None
_site = sys.modules.get("site")
if _site is not None and _site.ENABLE_USER_SITE:
    try:
        _site.USER_BASE = _site.USER_SITE = None
        if os.path.lexists(_site.getusersitepackages()):
            _compiled = None
    except BaseException:
        _compiled = None
if _compiled is None:
    posix.execve(_argv[0], _argv, os.environb)
for _each in (sys.argv[0], os.path.dirname(sys.argv[0])):
    sys.path_importer_cache.pop(_each, None)
sys.path_importer_cache[_argv[_start]] = None
sys.argv = _argv[_start:]
sys.orig_argv = _argv
if not getattr(sys.flags, "safe_path", False) and not sys.flags.isolated:
    sys.path[0] = os.path.dirname(os.path.realpath(_file))
_main = _module("__main__")
_main.__dict__.update(
    __loader__=_loader("__main__", _file), __file__=_file, __cached__=None, __builtins__=sys.modules["builtins"]
)
if sys.version_info < (3, 14):
    _main.__annotations__ = {}
sys.modules["__main__"] = _main
_exit = 0
_interrupted = False
sys.setrecursionlimit(sys.getrecursionlimit() + 1)
try:
    exec(_compiled, _main.__dict__)
except SystemExit as _end:
    _exit = _end.code
    if _exit is None:
        _exit = 0
    elif isinstance(_exit, int):
        _exit &= 0xFF
    else:
        sys.stderr.write(str(_exit) + "\n")
        _exit = 1
    _end = None
except BaseException as _error:
    _exit = 1
    _interrupted = isinstance(_error, KeyboardInterrupt)
    _trace = _error.__traceback__.tb_next
    if isinstance(_error, SyntaxError) and _trace is None:
        _error.__traceback__ = None
    try:
        sys.excepthook(type(_error), _error.with_traceback(_trace), _trace)
    except SystemExit as _end:
        _exit = _end.code if isinstance(_end.code, int) else 1
    except BaseException:
        pass
    _error = _trace = None

# What the interpreter does at its end, as far as a program can see it, without taking itself apart, which costs more than the turn.
_threads = sys.modules.get("threading")
if _threads is not None:
    try:
        _threads._shutdown()
    except BaseException as _error:
        sys.excepthook(type(_error), _error, _error.__traceback__)
atexit._run_exitfuncs()
for _name in [_each for _each in _main.__dict__ if _each[0] == "_" and _each[:2] != "__"]:
    _main.__dict__[_name] = None
for _name in [_each for _each in _main.__dict__ if _each != "__builtins__"]:
    _main.__dict__[_name] = None
gc.collect()
for _stream in (sys.stdout, sys.stderr):
    try:
        _stream is None or _stream.closed or _stream.flush()
    except BaseException:
        if _stream is sys.stdout:
            _exit = 120
if _interrupted:
    posix.kill(posix.getpid(), 2) if sys.modules["_signal"].signal(2, sys.modules["_signal"].SIG_DFL) is not None else None
posix._exit(_exit)

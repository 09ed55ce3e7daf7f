"""Plays one library: reads a case a line, runs it, and writes what the library gave a line. `python play.py FILE`

The first line out says what the library has: its formats and its cases. Whatever the library itself prints goes to stderr.
"""

import asyncio
import importlib.util
import inspect
import json
import os
import sys
import traceback

import asked

CASES = ['chat', 'stream', 'tools', 'stream_tools', 'structured', 'native', 'json_mode', 'embeddings']


def load(path: str):
    # Under another name than its file's: `libraries/openai.py` must not hide the library.
    spec = importlib.util.spec_from_file_location('library', path)
    module = importlib.util.module_from_spec(spec)
    sys.modules['library'] = module
    spec.loader.exec_module(module)
    return module


def plain(value):
    """A value as JSON has it."""
    if hasattr(value, 'model_dump'):
        return value.model_dump(mode='json')
    return json.loads(json.dumps(value, default=str))


def play(library, case: str, at: asked.At) -> dict:
    asked.calls.clear()
    try:
        given = getattr(library, case)(at)
        if inspect.iscoroutine(given):
            given = asyncio.run(given)
        # Nothing: the library has no such thing in this format.
        return {} if given is None else {'gave': plain(given), 'calls': list(asked.calls)}
    except Exception as error:
        traceback.print_exc()
        return {'error': {'class': type(error).__name__, 'message': str(error)[:2000]}, 'calls': list(asked.calls)}


def main() -> None:
    out = os.fdopen(os.dup(1), 'w')
    os.dup2(2, 1)

    def write(line: dict) -> None:
        print(json.dumps(line), file=out, flush=True)

    library = load(sys.argv[1])
    write({'formats': library.FORMATS, 'cases': [case for case in CASES if hasattr(library, case)]})
    for line in sys.stdin:
        wish = json.loads(line)
        write(play(library, wish.pop('case'), asked.At(**wish)))


main()

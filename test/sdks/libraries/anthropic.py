# /// script
# requires-python = "==3.11.*"
# dependencies = ["anthropic==2.14.0", "pydantic==2.14.3"]
# ///
"""Anthropic's own library."""

import anthropic
from asked import HELLO, PERSON, WEATHER, WEATHER_SCHEMA, At, Person, weather

FORMATS = ['anthropic']
TOOL = {'name': 'weather', 'description': 'Tells the weather.', 'input_schema': WEATHER_SCHEMA}


def client(at: At) -> anthropic.Anthropic:
    return anthropic.Anthropic(base_url=at.root, api_key=at.key)


def request(at: At, text: str) -> dict:
    return {'model': at.model, 'max_tokens': 1000, 'messages': [{'role': 'user', 'content': text}]}


def counted(usage) -> list[int]:
    return [usage.input_tokens, usage.output_tokens]


def text_of(message) -> str:
    return ''.join(block.text for block in message.content if block.type == 'text')


def chat(at: At) -> dict:
    message = client(at).messages.create(**request(at, HELLO))
    return {'text': text_of(message), 'usage': counted(message.usage)}


def stream(at: At) -> dict:
    with client(at).messages.stream(**request(at, HELLO)) as events:
        text = ''.join(events.text_stream)
        return {'text': text, 'usage': counted(events.get_final_message().usage)}


def tools(at: At) -> dict:
    return tool_round(at, client(at).messages.create)


def stream_tools(at: At) -> dict:
    def ask(**more):
        with client(at).messages.stream(**more) as events:
            return events.get_final_message()

    return tool_round(at, ask)


def tool_round(at: At, ask) -> dict:
    asked = {**request(at, WEATHER), 'tools': [TOOL]}
    first = ask(**asked)
    results = [
        {'type': 'tool_result', 'tool_use_id': block.id, 'content': weather(**block.input)}
        for block in first.content
        if block.type == 'tool_use'
    ]
    turns = [{'role': 'assistant', 'content': first.content}, {'role': 'user', 'content': results}]
    answer = ask(**{**asked, 'messages': [*asked['messages'], *turns]})
    return {'text': text_of(answer), 'usage': counted(answer.usage)}


def structured(at: At) -> dict:
    message = client(at).messages.parse(**request(at, PERSON), output_format=Person)
    return {'value': message.parsed_output.model_dump(mode='json'), 'usage': counted(message.usage)}

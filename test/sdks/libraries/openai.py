# /// script
# requires-python = "==3.11.*"
# dependencies = ["openai==3.57.0", "pydantic==2.14.3"]
# ///
"""OpenAI's own library, by Chat Completions and by Responses."""

import json

import openai
from asked import CITY, HELLO, PERSON, TEXTS, WEATHER, WEATHER_SCHEMA, At, Person, weather

FORMATS = ['chat', 'responses']


def client(at: At) -> openai.OpenAI:
    return openai.OpenAI(base_url=at.v1, api_key=at.key)


def user(text: str) -> list:
    return [{'role': 'user', 'content': text}]


def counted(usage) -> list[int]:
    if hasattr(usage, 'prompt_tokens'):
        return [usage.prompt_tokens, usage.completion_tokens]
    return [usage.input_tokens, usage.output_tokens]


def chat(at: At) -> dict:
    if at.format == 'chat':
        answer = client(at).chat.completions.create(model=at.model, messages=user(HELLO))
        return {'text': answer.choices[0].message.content, 'usage': counted(answer.usage)}
    answer = client(at).responses.create(model=at.model, input=HELLO)
    return {'text': answer.output_text, 'usage': counted(answer.usage)}


def stream(at: At) -> dict:
    if at.format == 'chat':
        with client(at).chat.completions.stream(
            model=at.model, messages=user(HELLO), stream_options={'include_usage': True}
        ) as events:
            text = ''.join(event.delta for event in events if event.type == 'content.delta')
            return {'text': text, 'usage': counted(events.get_final_completion().usage)}
    with client(at).responses.stream(model=at.model, input=HELLO) as events:
        text = ''.join(event.delta for event in events if event.type == 'response.output_text.delta')
        return {'text': text, 'usage': counted(events.get_final_response().usage)}


FUNCTION = {'name': 'weather', 'description': 'Tells the weather.', 'parameters': WEATHER_SCHEMA, 'strict': True}


def tools(at: At) -> dict:
    return tool_round(at, lambda **more: client(at).chat.completions.create(**more), client(at).responses.create)


def stream_tools(at: At) -> dict:
    def chat_answer(**more):
        with client(at).chat.completions.stream(stream_options={'include_usage': True}, **more) as events:
            return events.get_final_completion()

    def response(**more):
        with client(at).responses.stream(**more) as events:
            return events.get_final_response()

    return tool_round(at, chat_answer, response)


def tool_round(at: At, ask_chat, ask_responses) -> dict:
    """Call, result, last words; `ask_…` ask once, streamed or not."""
    if at.format == 'chat':
        messages = user(WEATHER)
        more = {'model': at.model, 'tools': [{'type': 'function', 'function': FUNCTION}]}
        first = ask_chat(messages=messages, **more).choices[0].message
        results = [
            {'role': 'tool', 'tool_call_id': call.id, 'content': weather(**json.loads(call.function.arguments))}
            for call in first.tool_calls or []
        ]
        calls = [
            {'id': call.id, 'type': 'function', 'function': call.function.model_dump(include={'name', 'arguments'})}
            for call in first.tool_calls or []
        ]
        turn = {'role': 'assistant', 'content': first.content, 'tool_calls': calls}
        answer = ask_chat(messages=[*messages, turn, *results], **more)
        return {'text': answer.choices[0].message.content, 'usage': counted(answer.usage)}
    items = user(WEATHER)
    more = {'model': at.model, 'tools': [{'type': 'function', **FUNCTION}]}
    first = ask_responses(input=items, **more)
    calls = [item for item in first.output if item.type == 'function_call']
    results = [
        {'type': 'function_call_output', 'call_id': call.call_id, 'output': weather(**json.loads(call.arguments))}
        for call in calls
    ]
    # What the library read into an answer is not taken back by the vendor.
    turns = [{key: value for key, value in item.items() if key != 'parsed_arguments'} for item in first.to_dict()['output']]
    answer = ask_responses(input=[*items, *turns, *results], **more)
    return {'text': answer.output_text, 'usage': counted(answer.usage)}


def structured(at: At) -> dict:
    if at.format == 'chat':
        answer = client(at).chat.completions.parse(model=at.model, messages=user(PERSON), response_format=Person)
        return {'value': answer.choices[0].message.parsed.model_dump(mode='json'), 'usage': counted(answer.usage)}
    answer = client(at).responses.parse(model=at.model, input=PERSON, text_format=Person)
    return {'value': answer.output_parsed.model_dump(mode='json'), 'usage': counted(answer.usage)}


def json_mode(at: At) -> dict:
    if at.format == 'chat':
        answer = client(at).chat.completions.create(
            model=at.model, messages=user(CITY), response_format={'type': 'json_object'}
        )
        return {'value': json.loads(answer.choices[0].message.content)}
    answer = client(at).responses.create(model=at.model, input=CITY, text={'format': {'type': 'json_object'}})
    return {'value': json.loads(answer.output_text)}


def embeddings(at: At) -> dict:
    answer = client(at).embeddings.create(model=at.embedding, input=TEXTS)
    return {'vectors': [item.embedding for item in answer.data]}

# /// script
# requires-python = "==3.11.*"
# dependencies = ["litellm==1.110.2", "mcp"]
# ///
"""litellm, in the formats of the three vendors."""

import json

import litellm
from asked import CITY, HELLO, PERSON, TEXTS, WEATHER, WEATHER_SCHEMA, At, Person, weather

FORMATS = ['chat', 'anthropic', 'gemini']
litellm.telemetry = False


def wish(at: At, text: str, **more) -> dict:
    if at.format == 'chat':
        where = {'model': f'openai/{at.model}', 'api_base': at.v1}
    elif at.format == 'anthropic':
        where = {'model': f'anthropic/{at.model}', 'api_base': at.root}
    else:
        where = {'model': f'gemini/{at.model}', 'api_base': f'{at.root}/v1beta'}
    return {**where, 'api_key': at.key, 'messages': [{'role': 'user', 'content': text}], **more}


def counted(usage) -> list[int]:
    return [usage.prompt_tokens, usage.completion_tokens]


def streamed(**wished):
    chunks = list(litellm.completion(stream=True, stream_options={'include_usage': True}, **wished))
    return litellm.stream_chunk_builder(chunks)


def chat(at: At) -> dict:
    answer = litellm.completion(**wish(at, HELLO))
    return {'text': answer.choices[0].message.content, 'usage': counted(answer.usage)}


def stream(at: At) -> dict:
    answer = streamed(**wish(at, HELLO))
    return {'text': answer.choices[0].message.content, 'usage': counted(answer.usage)}


def tools(at: At) -> dict:
    return tool_round(at, litellm.completion)


def stream_tools(at: At) -> dict:
    return tool_round(at, streamed)


def tool_round(at: At, ask) -> dict:
    function = {'name': 'weather', 'description': 'Tells the weather.', 'parameters': WEATHER_SCHEMA}
    wished = wish(at, WEATHER, tools=[{'type': 'function', 'function': function}])
    first = ask(**wished).choices[0].message
    results = [
        {'role': 'tool', 'tool_call_id': call.id, 'content': weather(**json.loads(call.function.arguments))}
        for call in first.tool_calls or []
    ]
    answer = ask(**{**wished, 'messages': [*wished['messages'], first.model_dump(), *results]})
    return {'text': answer.choices[0].message.content, 'usage': counted(answer.usage)}


def structured(at: At) -> dict:
    answer = litellm.completion(**wish(at, PERSON, response_format=Person))
    person = Person.model_validate_json(answer.choices[0].message.content)
    return {'value': person.model_dump(mode='json'), 'usage': counted(answer.usage)}


def json_mode(at: At) -> dict:
    answer = litellm.completion(**wish(at, CITY, response_format={'type': 'json_object'}))
    return {'value': json.loads(answer.choices[0].message.content)}


def embeddings(at: At) -> dict:
    if at.format != 'chat':
        return None
    answer = litellm.embedding(model=f'openai/{at.embedding}', api_base=at.v1, api_key=at.key, input=TEXTS)
    return {'vectors': [item['embedding'] for item in answer.data]}

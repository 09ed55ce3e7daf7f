# /// script
# requires-python = "==3.11.*"
# dependencies = ["haystack-ai==3.4.1", "anthropic-haystack", "google-genai-haystack"]
# ///
"""Haystack, with its generators of the three vendors."""

from asked import HELLO, PERSON, TEXTS, WEATHER, WEATHER_SCHEMA, At, Person, weather
from haystack.components.generators.chat import OpenAIChatGenerator, OpenAIResponsesChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.tools import Tool
from haystack.utils import Secret

FORMATS = ['chat', 'responses', 'anthropic', 'gemini']
TOOL = Tool(name='weather', description='Tells the weather.', parameters=WEATHER_SCHEMA, function=weather)


def generator(at: At, **more):
    at.in_environment()
    key = Secret.from_token(at.key)
    if at.format == 'chat':
        return OpenAIChatGenerator(api_key=key, model=at.model, api_base_url=at.v1, **more)
    if at.format == 'responses':
        return OpenAIResponsesChatGenerator(api_key=key, model=at.model, api_base_url=at.v1, **more)
    if at.format == 'anthropic':
        from haystack_integrations.components.generators.anthropic import AnthropicChatGenerator

        return AnthropicChatGenerator(api_key=key, model=at.model, **more)
    from haystack_integrations.components.generators.google_genai import GoogleGenAIChatGenerator

    return GoogleGenAIChatGenerator(api_key=key, model=at.model, **more)


def counted(message) -> list[int] | None:
    usage = message.meta.get('usage') or {}
    if 'prompt_tokens' in usage:
        return [usage['prompt_tokens'], usage['completion_tokens']]
    return [usage['input_tokens'], usage['output_tokens']] if 'input_tokens' in usage else None


def ask(at: At, messages: list, **more):
    return generator(at, **more).run(messages=messages)['replies'][0]


def chat(at: At) -> dict:
    reply = ask(at, [ChatMessage.from_user(HELLO)])
    return {'text': reply.text, 'usage': counted(reply)}


def stream(at: At) -> dict:
    pieces = []
    reply = ask(at, [ChatMessage.from_user(HELLO)], streaming_callback=lambda piece: pieces.append(piece.content))
    return {'text': reply.text, 'streamed': ''.join(pieces)}


def tools(at: At) -> dict:
    return tool_round(at)


def stream_tools(at: At) -> dict:
    return tool_round(at, streaming_callback=lambda piece: None)


def tool_round(at: At, **more) -> dict:
    messages = [ChatMessage.from_user(WEATHER)]
    first = ask(at, messages, tools=[TOOL], **more)
    results = [
        ChatMessage.from_tool(tool_result=TOOL.invoke(**call.arguments), origin=call) for call in first.tool_calls
    ]
    answer = ask(at, [*messages, first, *results], tools=[TOOL], **more)
    return {'text': answer.text}


def structured(at: At) -> dict:
    # Of the three only OpenAI's generators take a schema.
    if at.format not in ('chat', 'responses'):
        return None
    wish = {'response_format' if at.format == 'chat' else 'text_format': Person}
    reply = ask(at, [ChatMessage.from_user(PERSON)], generation_kwargs=wish)
    return {'value': Person.model_validate_json(reply.text).model_dump(mode='json')}


def embeddings(at: At) -> dict:
    if at.format != 'chat':
        return None
    from haystack.components.embedders import OpenAITextEmbedder

    embedder = OpenAITextEmbedder(api_key=Secret.from_token(at.key), model=at.embedding, api_base_url=at.v1)
    return {'vectors': [embedder.run(text=text)['embedding'] for text in TEXTS]}

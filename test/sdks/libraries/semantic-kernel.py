# /// script
# requires-python = "==3.11.*"
# dependencies = ["semantic-kernel[anthropic,google]==1.45.0"]
# ///
"""Semantic Kernel, with its connectors of the three vendors."""

from typing import Annotated

from asked import HELLO, PERSON, WEATHER, At, Person
from asked import weather as tell_weather
from semantic_kernel import Kernel
from semantic_kernel.connectors.ai.function_choice_behavior import FunctionChoiceBehavior
from semantic_kernel.contents import ChatHistory
from semantic_kernel.functions import kernel_function

FORMATS = ['chat', 'anthropic', 'gemini']


def service(at: At):
    if at.format == 'chat':
        from openai import AsyncOpenAI
        from semantic_kernel.connectors.ai.open_ai import OpenAIChatCompletion

        return OpenAIChatCompletion(ai_model_id=at.model, async_client=AsyncOpenAI(base_url=at.v1, api_key=at.key))
    if at.format == 'anthropic':
        from anthropic import AsyncAnthropic
        from semantic_kernel.connectors.ai.anthropic import AnthropicChatCompletion

        return AnthropicChatCompletion(
            ai_model_id=at.model, api_key=at.key, async_client=AsyncAnthropic(base_url=at.root, api_key=at.key)
        )
    from google import genai
    from semantic_kernel.connectors.ai.google.google_ai import GoogleAIChatCompletion

    client = genai.Client(api_key=at.key, http_options={'base_url': at.root})
    return GoogleAIChatCompletion(gemini_model_id=at.model, api_key=at.key, client=client)


def history(text: str) -> ChatHistory:
    own = ChatHistory()
    own.add_user_message(text)
    return own


def settings(one, **more):
    return one.instantiate_prompt_execution_settings(**more)


class Weather:
    @kernel_function(name='weather', description='Tells the weather.')
    def weather(self, city: Annotated[str, 'The city.'], unit: Annotated[str, 'celsius or fahrenheit']) -> str:
        return tell_weather(city, unit)


def with_tools() -> Kernel:
    kernel = Kernel()
    kernel.add_plugin(Weather(), 'tools')
    return kernel


async def chat(at: At) -> dict:
    one = service(at)
    answer = await one.get_chat_message_content(history(HELLO), settings(one))
    usage = answer.metadata.get('usage')
    return {'text': str(answer), 'usage': [usage.prompt_tokens, usage.completion_tokens] if usage else None}


async def stream(at: At) -> dict:
    one = service(at)
    pieces = [str(piece) async for piece in one.get_streaming_chat_message_content(history(HELLO), settings(one))]
    return {'text': ''.join(pieces)}


async def tools(at: At) -> dict:
    one = service(at)
    wished = settings(one, function_choice_behavior=FunctionChoiceBehavior.Auto())
    return {'text': str(await one.get_chat_message_content(history(WEATHER), wished, kernel=with_tools()))}


async def stream_tools(at: At) -> dict:
    one = service(at)
    wished = settings(one, function_choice_behavior=FunctionChoiceBehavior.Auto())
    pieces = one.get_streaming_chat_message_content(history(WEATHER), wished, kernel=with_tools())
    return {'text': ''.join([str(piece) async for piece in pieces if piece])}


async def structured(at: At) -> dict:
    # Anthropic's connector has no structured answers.
    if at.format == 'anthropic':
        return None
    one = service(at)
    wish = {'response_format': Person} if at.format == 'chat' else {
        'response_mime_type': 'application/json', 'response_schema': Person
    }
    answer = await one.get_chat_message_content(history(PERSON), settings(one, **wish))
    return {'value': Person.model_validate_json(str(answer)).model_dump(mode='json')}

# /// script
# requires-python = "==3.11.*"
# dependencies = ["langchain-anthropic==1.7.10"]
# ///
"""LangChain with Anthropic's models."""

from asked import At
from langchain_anthropic import ChatAnthropic
from langchain_cases import cases

FORMATS = ['anthropic']


def model(at: At) -> ChatAnthropic:
    return ChatAnthropic(base_url=at.root, api_key=at.key, model=at.model, max_tokens=1000)


globals().update(cases(model, embedder=None, json_mode=None))

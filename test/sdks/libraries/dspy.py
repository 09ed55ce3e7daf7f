# /// script
# requires-python = "==3.11.*"
# dependencies = ["dspy==3.4.1"]
# ///
"""DSPy, with its own engine and (for JSON schemas) with its JSON adapter."""

import dspy
from asked import HELLO, PERSON, WEATHER, At, Person, weather

FORMATS = ['chat', 'responses', 'anthropic', 'gemini']
PROVIDER = {'chat': 'openai', 'responses': 'openai', 'anthropic': 'anthropic', 'gemini': 'gemini'}


def model(at: At) -> dspy.LM:
    base = {'anthropic': f'{at.root}/v1', 'gemini': f'{at.root}/v1beta'}.get(at.format, at.v1)
    kind = {'model_type': 'responses'} if at.format == 'responses' else {}
    return dspy.LM(f'{PROVIDER[at.format]}/{at.model}', api_base=base, api_key=at.key, cache=False, **kind)


def chat(at: At) -> dict:
    with dspy.context(lm=model(at), track_usage=True):
        given = dspy.Predict('question -> answer')(question=HELLO)
        return {'text': given.answer}


def tools(at: At) -> dict:
    with dspy.context(lm=model(at)):
        given = dspy.ReAct('question -> answer', tools=[weather], max_iters=3)(question=WEATHER)
        return {'text': given.answer}


class Describe(dspy.Signature):
    question: str = dspy.InputField()
    person: Person = dspy.OutputField()


def structured(at: At) -> dict:
    with dspy.context(lm=model(at), adapter=dspy.JSONAdapter()):
        return {'value': dspy.Predict(Describe)(question=PERSON).person.model_dump(mode='json')}

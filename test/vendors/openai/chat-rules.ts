// OpenAI's rules for a chat whose body has the right shape.
import { Refusal } from '../vendor.ts'
import type { ChatBody } from './chat-shape.ts'
import { checkSampling, effortOf, familyOf, reasons, unsupported } from './families.ts'
import { strictFault, toolSchemaFault } from './strict-schema.ts'

/** @throws Refusal */
export function checkChat(body: ChatBody): void {
  const { model } = body
  const family = familyOf(model)
  if (family.responsesOnly) {
    throw new Refusal('This model is only supported in v1/responses and not in v1/chat/completions.', {
      status: 404,
      param: 'model',
    })
  }
  const effort = effortOf(model, body.reasoning_effort, 'reasoning_effort')
  if (reasons(family) && body.max_tokens !== undefined && body.max_tokens !== null) {
    throw unsupported('max_tokens', " Use 'max_completion_tokens' instead.")
  }
  if (given(body.max_tokens) && given(body.max_completion_tokens)) {
    throw new Refusal('Setting max_tokens and max_completion_tokens at the same time is not supported.', {
      code: 'invalid_parameter_combination',
    })
  }
  checkSampling(model, effort, body)
  if (body.web_search_options !== undefined && !model.includes('search')) {
    throw new Refusal('Web search options not supported with this model.', {
      param: 'web_search_options',
      code: 'unknown_parameter',
    })
  }
  if (family.toolsOnChat && effort !== 'none' && (body.tools ?? []).some(({ type }) => type === 'function')) {
    throw new Refusal(
      `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions. ${family.toolsOnChat}`,
      { param: 'reasoning_effort' },
    )
  }
  if (body.stream_options && !body.stream) {
    throw new Refusal("The 'stream_options' parameter is only allowed when 'stream' is enabled.", {
      param: 'stream_options',
    })
  }
  if (body.top_logprobs && !body.logprobs) {
    throw new Refusal("'top_logprobs' requires 'logprobs' to be true.", { param: 'top_logprobs' })
  }
  checkTools(body)
  checkCalls(body.messages)
  checkFormat(body)
}

const given = (value: unknown): boolean => value !== undefined && value !== null

function checkTools({ tools, tool_choice, parallel_tool_calls }: ChatBody): void {
  if (!tools) {
    for (const [name, value] of Object.entries({ tool_choice, parallel_tool_calls })) {
      if (value !== undefined)
        throw new Refusal(`'${name}' is only allowed when 'tools' are specified.`, { param: name })
    }
  }
  for (const [at, tool] of (tools ?? []).entries()) {
    if (tool.type !== 'function') continue
    const { name, parameters, strict } = tool.function
    const fault = strict ? strictFault(parameters) : toolSchemaFault(parameters)
    if (fault) {
      throw new Refusal(`Invalid schema for function '${name}': ${fault}`, {
        param: `tools[${at}].function.parameters`,
        code: 'invalid_function_parameters',
      })
    }
  }
  if (typeof tool_choice === 'object' && tool_choice.type === 'function') {
    const { name } = tool_choice.function
    if (!tools?.some((tool) => tool.type === 'function' && tool.function.name === name)) {
      throw new Refusal(`Invalid value: 'tool_choice.function.name' '${name}' is not in 'tools'.`, {
        param: 'tool_choice',
      })
    }
  }
}

/** Every call is answered directly behind it, and nothing else is an answer. @throws Refusal */
export function checkCalls(messages: ChatBody['messages']): void {
  let open: string[] = []
  let answering = false
  for (const [at, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (!answering || !open.includes(message.tool_call_id)) {
        throw new Refusal(
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
          { param: `messages.[${at}].role` },
        )
      }
      open = open.filter((id) => id !== message.tool_call_id)
      continue
    }
    checkAnswered(open)
    open = message.role === 'assistant' ? (message.tool_calls ?? []).map(({ id }) => id) : []
    answering = open.length > 0
    if (
      message.role === 'assistant' &&
      !answering &&
      !given(message.content) &&
      !given(message.refusal) &&
      !message.function_call &&
      !message.audio
    ) {
      throw new Refusal(`Invalid value for 'content': expected a string, got null.`, {
        param: `messages.[${at}].content`,
      })
    }
  }
  checkAnswered(open)
}

function checkAnswered(open: readonly string[]): void {
  if (open.length === 0) return
  throw new Refusal(
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
      `The following tool_call_ids did not have response messages: ${open.join(', ')}`,
    { param: 'messages' },
  )
}

function checkFormat({ response_format: format, messages }: ChatBody): void {
  const param = 'response_format'
  if (format?.type === 'json_object' && !/json/i.test(JSON.stringify(messages.map(({ content }) => content)))) {
    throw new Refusal(
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
      { param: 'messages' },
    )
  }
  if (format?.type !== 'json_schema' || !format.json_schema.strict) return
  const fault = strictFault(format.json_schema.schema)
  if (fault) throw new Refusal(`Invalid schema for response_format '${format.json_schema.name}': ${fault}`, { param })
}

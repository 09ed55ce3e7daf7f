// Classifies a field by its result in another format: writes the request with the field and without it.
import { anthropicMessages } from '../../../../core/dialects/anthropic-messages/index.ts'
import { cozeChatDialect } from '../../../../core/dialects/provider-only/coze-chat.ts'
import { difyChatDialect } from '../../../../core/dialects/provider-only/dify-chat.ts'
import { hunyuanChatDialect } from '../../../../core/dialects/provider-only/hunyuan-chat.ts'
import { libraryAskDialect } from '../../../../core/dialects/provider-only/library-ask.ts'
import { sparkChatDialect } from '../../../../core/dialects/provider-only/spark-chat.ts'
import { wenxinChatDialect } from '../../../../core/dialects/provider-only/wenxin-chat.ts'
import type { Dialect, ProviderDialect } from '../../../../core/dialects/dialect.ts'
import { geminiGenerate } from '../../../../core/dialects/gemini-generate/index.ts'
import { refuseVendorData } from '../../../../core/dialects/requests/shape.ts'
import { openaiChat } from '../../../../core/dialects/openai-chat/index.ts'
import { openaiCompletions } from '../../../../core/dialects/openai-completions.ts'
import { openaiResponses } from '../../../../core/dialects/openai-responses/index.ts'
import { keepOwnSignatures } from '../../../../core/dialects/reasoning/reasoning-signature.ts'
import { GatewayError } from '../../../../core/errors.ts'
import type { Json } from '../../../support/json.ts'
import { anthropic } from './anthropic.ts'
import { chat, completions } from './chat.ts'
import { gemini } from './gemini.ts'
import { responses } from './responses.ts'
import type { Sample, Samples } from './sample.ts'

export interface Caller {
  dialect: Dialect
  base: object
  samples: Samples
}

const messages = [{ role: 'user', content: 'Hello' }]

export const callers: readonly Caller[] = [
  { dialect: openaiChat, base: { messages }, samples: chat },
  { dialect: openaiResponses, base: { input: messages }, samples: responses },
  { dialect: anthropicMessages, base: { messages, max_tokens: 4096 }, samples: anthropic },
  { dialect: geminiGenerate, base: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] }, samples: gemini },
  { dialect: openaiCompletions, base: { prompt: 'Hello' }, samples: completions },
]

/** The formats of providers, and a model of each. */
export const providers: readonly [to: ProviderDialect, model: string][] = [
  [openaiChat, 'a-model'],
  [openaiResponses, 'a-model'],
  [anthropicMessages, 'claude-sonnet-4-5'],
  [geminiGenerate, 'gemini-2.5-flash'],
  [openaiCompletions, 'a-model'],
  [hunyuanChatDialect, 'a-model'],
  [wenxinChatDialect, 'a-model'],
  [sparkChatDialect, 'a-model'],
  [difyChatDialect, 'a-model'],
  [cozeChatDialect, 'a-model'],
  [libraryAskDialect, 'a-model'],
]

export type Fate =
  'passed' | 'renamed' | 'said otherwise' | 'said, and named in part' | 'done by Weir' | 'named' | 'refused' | 'lost'

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))

interface Written {
  body: Json
  named: Set<string>
  /** Weir itself is to keep the answer. */
  keeps: boolean
}

/** The request as it leaves for a provider of another format; undefined where it is refused. */
function written({ dialect, base }: Caller, to: ProviderDialect, model: string, more: object): Written | undefined {
  try {
    const request = dialect.readModelRequest(bytes({ model, ...base, ...more }), { model, stream: false })
    refuseVendorData(request, to.name)
    const { lost = [], ...read } = keepOwnSignatures({ ...request, model }, to.name)
    const { body, dropped } = to.writeModelRequest(read)
    return {
      body: JSON.parse(new TextDecoder().decode(body)) as Json,
      named: new Set([...lost, ...dropped]),
      keeps: read.storesAnswer === true,
    }
  } catch (error) {
    if (error instanceof GatewayError) return undefined
    throw error
  }
}

/** What becomes of it. */
export function fateOf(caller: Caller, to: ProviderDialect, model: string, name: string, sample: Sample): Fate {
  const said = written(caller, to, model, sample.with)
  const unsaid = written(caller, to, model, sample.without ?? {})
  if (!said) return 'refused'
  // What stands in something that is named as a whole is named with it.
  const [parent = name] = name.split('.')
  const isNamed = said.named.has(parent) || [...said.named].some((field) => !unsaid?.named.has(field))
  if (said.keeps !== unsaid?.keeps) return 'done by Weir'
  if (JSON.stringify(said.body) === JSON.stringify(unsaid?.body)) return isNamed ? 'named' : 'lost'
  if (isNamed) return 'said, and named in part'
  const value = JSON.stringify((sample.with as Json)[name])
  if (value === undefined) return 'said otherwise'
  if (JSON.stringify(said.body[name]) === value) return 'passed'
  return Object.values(said.body).some((member) => JSON.stringify(member) === value) ? 'renamed' : 'said otherwise'
}

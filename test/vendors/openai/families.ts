// The fields that OpenAI's model families accept and refuse.
import { Refusal } from '../vendor.ts'

export interface Family {
  /** Efforts that can be asked for; none of models that do not reason. */
  efforts: readonly string[]
  /** What is thought without being asked. */
  effort: string
  /** Asked at /v1/responses only. */
  responsesOnly?: boolean
  /** Chat refuses function tools while there is an effort; in these words. */
  toolsOnChat?: string
  /** Takes `temperature`, if only 1, where the effort is not `none`. */
  fixedTemperature?: boolean
}

const ELSEWHERE = 'Please use /v1/responses instead.'
const ELSEWHERE_OR_NONE = "To use function tools, use /v1/responses or set reasoning_effort to 'none'."
const FROM_LOW = ['low', 'medium', 'high']
const FROM_NONE = ['none', ...FROM_LOW]
const TO_XHIGH = [...FROM_NONE, 'xhigh']

/** The first that fits counts. */
const families: readonly (readonly [RegExp, Family])[] = [
  [
    /^gpt-(?:6-sol|6-luna|6\.1-terra)/,
    { efforts: [...TO_XHIGH, 'max'], effort: 'medium', toolsOnChat: ELSEWHERE_OR_NONE },
  ],
  [/^gpt-[6-9]/, { efforts: [...FROM_LOW, 'xhigh', 'max'], effort: 'medium', toolsOnChat: ELSEWHERE }],
  [/^gpt-5.*-chat/, { efforts: [], effort: 'none' }],
  [/^gpt-5\.\d-pro|^o\d-pro/, { efforts: ['medium', 'high', 'xhigh'], effort: 'medium', responsesOnly: true }],
  [/^gpt-5-pro/, { efforts: ['high'], effort: 'high', responsesOnly: true }],
  [/^gpt-5.*-codex/, { efforts: [...FROM_LOW, 'xhigh'], effort: 'medium', responsesOnly: true }],
  [/^gpt-5\.[6-9]/, { efforts: [...TO_XHIGH, 'max'], effort: 'medium', toolsOnChat: ELSEWHERE_OR_NONE }],
  [/^gpt-5\.5/, { efforts: TO_XHIGH, effort: 'medium', toolsOnChat: ELSEWHERE }],
  [/^gpt-5\.4/, { efforts: TO_XHIGH, effort: 'none', toolsOnChat: ELSEWHERE }],
  [/^gpt-5\.[23]/, { efforts: TO_XHIGH, effort: 'none' }],
  [/^gpt-5\.1/, { efforts: FROM_NONE, effort: 'none' }],
  [/^gpt-5/, { efforts: ['minimal', ...FROM_LOW], effort: 'medium', fixedTemperature: true }],
  [/^o\d/, { efforts: FROM_LOW, effort: 'medium' }],
  // Open models that think, asked at servers in OpenAI's place.
  [/gpt-oss|^deepseek-v/, { efforts: TO_XHIGH, effort: 'medium' }],
  [/./, { efforts: [], effort: 'none' }],
]

export const familyOf = (model: string): Family => families.find(([name]) => name.test(model))?.[1] as Family

export const reasons = ({ efforts }: Family): boolean => efforts.length > 0

/** The effort that a request comes to. @throws Refusal of one that the model does not have */
export function effortOf(model: string, asked: string | null | undefined, param: string): string {
  const family = familyOf(model)
  if (asked === undefined || asked === null) return family.effort
  if (!reasons(family)) throw unsupported(param)
  if (family.efforts.includes(asked)) return asked
  const supported = family.efforts.map((effort) => `'${effort}'`).join(', ')
  throw new Refusal(
    `Unsupported value: '${param}' does not support '${asked}' with this model. Supported values are: ${supported}.`,
    { param, code: 'unsupported_value' },
  )
}

export const unsupported = (param: string, hint = ''): Refusal =>
  new Refusal(`Unsupported parameter: '${param}' is not supported with this model.${hint}`, {
    param,
    code: 'unsupported_parameter',
  })

/**
 * Sampling of models that reason: by none of them but with the effort `none`.
 * @throws Refusal
 */
export function checkSampling(model: string, effort: string, body: Record<string, unknown>): void {
  const family = familyOf(model)
  if (!reasons(family)) return
  const given = (name: string) => body[name] !== undefined && body[name] !== null
  if (effort !== 'none') {
    if (given('temperature') && !(family.fixedTemperature && body.temperature === 1)) {
      throw family.fixedTemperature ? onlyDefault('temperature', body.temperature) : unsupported('temperature')
    }
    if (given('top_p')) throw unsupported('top_p')
    for (const name of ['logprobs', 'top_logprobs']) if (body[name]) throw unsupported(name)
  }
  for (const name of ['presence_penalty', 'frequency_penalty', 'logit_bias', 'stop']) {
    if (given(name)) throw unsupported(name)
  }
}

const onlyDefault = (param: string, value: unknown): Refusal =>
  new Refusal(
    `Unsupported value: '${param}' does not support ${String(value)} with this model. Only the default (1) value is supported.`,
    { param, code: 'unsupported_value' },
  )

// The models a caller may use, in the shape of the caller's dialect.
import type { AnyDialect } from '../core/dialects/format.ts'
import { anthropicMessages, geminiGenerate, type ListedModel } from '../core/index.ts'

interface Shape {
  list(models: readonly ListedModel[], query: URLSearchParams): object
  one(model: ListedModel): object
}

const openai: Shape = {
  list: (data) => ({ object: 'list', data }),
  one: (model) => model,
}

/** The page sizes of Anthropic and Google, where a caller names none. */
const ANTHROPIC_PAGE = 20
const GEMINI_PAGE = 50
const MAX_PAGE = 1000

const pageSize = (asked: string | null, plain: number): number =>
  Math.min(Math.max(Math.trunc(Number(asked)) || plain, 1), MAX_PAGE)

const anthropic: Shape = {
  list(models, query) {
    const size = pageSize(query.get('limit'), ANTHROPIC_PAGE)
    const placeOf = (id: string | null) => models.findIndex((model) => model.id === id)
    const before = placeOf(query.get('before_id'))
    const from = before < 0 ? placeOf(query.get('after_id')) + 1 : Math.max(0, before - size)
    const to = before < 0 ? from + size : before
    const data = models.slice(from, to).map(anthropic.one) as { id: string }[]
    const has_more = before < 0 ? to < models.length : from > 0
    return { data, has_more, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null }
  },
  one: ({ id, created }) => ({
    type: 'model',
    id,
    display_name: id,
    created_at: new Date(created * 1000).toISOString(),
  }),
}

const gemini: Shape = {
  list(models, query) {
    const from = Math.max(0, Math.trunc(Number(query.get('pageToken'))) || 0)
    const to = from + pageSize(query.get('pageSize'), GEMINI_PAGE)
    return {
      models: models.slice(from, to).map(gemini.one),
      ...(to < models.length ? { nextPageToken: String(to) } : {}),
    }
  },
  one: ({ id }) => ({
    name: `models/${id}`,
    displayName: id,
    supportedGenerationMethods: ['generateContent', 'streamGenerateContent', 'countTokens'],
  }),
}

const shapes: Readonly<Record<string, Shape>> = { [anthropicMessages.name]: anthropic, [geminiGenerate.name]: gemini }

/** The shape a dialect lists models in; OpenAI's where it has none of its own. */
export const modelShape = ({ name }: AnyDialect): Shape => shapes[name] ?? openai

// Films between the vendors' formats: what each format reads, what each model is asked for, and what is reported of a task.
import { describe, expect, it } from 'vitest'
import {
  findFilmModel,
  type FilmPicture,
  type FilmModel,
  type FilmRequest,
} from '../../../../core/dialects/tasks/film.ts'
import type { TaskDialect } from '../../../../core/dialects/tasks/task-dialect.ts'
import type { PublicTask } from '../../../../core/dialects/tasks/task-format.ts'
import { TASK_FORMATS } from '../../../../core/dialects/tasks/task-formats.ts'
import { viduFilmTasks } from '../../../../core/dialects/tasks/vidu.ts'
import { wanFilmTasks } from '../../../../core/dialects/tasks/wan.ts'
import { allProviders } from '../../../../core/providers/index.ts'
import { listFailures } from '../../../support/list-failures.ts'

const formats = TASK_FORMATS.filter(({ platform }) => platform === 'video')
const PICTURE = 'data:image/png;base64,AAAA'

/** A film of six seconds in each format. */
const requests: Readonly<Record<string, object>> = {
  'ark-videos': { model: 'm', content: [{ type: 'text', text: 'a ferry' }], duration: 6 },
  'minimax-h3': { model: 'm', content: [{ type: 'text', text: 'a ferry' }], duration: 6 },
  'minimax-videos': { model: 'm', prompt: 'a ferry', duration: 6 },
  jimeng: { req_key: 'm', prompt: 'a ferry', frames: 6 * 24 + 1 },
  kling: { model_name: 'm', prompt: 'a ferry', duration: '6' },
  wan: { model: 'm', input: { prompt: 'a ferry' }, parameters: { duration: 6 } },
  veo: { instances: [{ prompt: 'a ferry' }], parameters: { durationSeconds: 6 } },
  vidu: { model: 'm', prompt: 'a ferry', duration: 6 },
  runway: { model: 'm', promptText: 'a ferry', duration: 6 },
  'openai-videos': { model: 'm', prompt: 'a ferry', seconds: '6' },
}

describe('a film', () => {
  it.each(formats)('of $name is read with its words and its length, whoever makes it', ({ name, read }) => {
    const body = new TextEncoder().encode(JSON.stringify(requests[name]))
    expect(read({ body, path: { model: 'm' } })).toMatchObject({
      ...{ model: 'm', prompt: 'a ferry' },
      film: { prompt: 'a ferry', seconds: 6, pictures: [] },
    })
  })

  it.each(formats)('of $name that failed is reported with the reason', ({ writeTask }) => {
    const task: PublicTask = {
      ...{ task_id: 't', action: 'GENERATE', model: 'm', status: 'FAILURE', progress: 100, prompt: 'a ferry' },
      ...{ fail_reason: 'no ferry was found', prompt_en: '', submit_time: 1, start_time: 2, finish_time: 3 },
      ...{ files: [], data: {}, details: {} },
    }
    expect(JSON.stringify(writeTask(task))).toContain('no ferry was found')
  })
})

const dialects = [
  ...new Map(allProviders.flatMap(({ tasks = [] }) => tasks.map(({ dialect }) => [dialect.name, dialect]))),
]
const models = dialects.flatMap(([, dialect]) => (dialect.models ?? []).map((model) => ({ dialect, model })))

/** Returns a name that a pattern of names matches: without what may be missing, and with the first of several words. */
const nameOf = ({ model }: FilmModel): string =>
  typeof model === 'string'
    ? model
    : model.source
        .replace(/\([^)]*\)\?/g, '')
        .replace(/\((?:\?:)?([^|)]*)[^)]*\)/g, '$1')
        .replace(/[\^$\\]/g, '')

function picturesOf({ needs, pictures }: FilmModel): FilmPicture[] {
  if (!needs) return []
  if (needs === 'reference' || !pictures.first) return [{ url: PICTURE, as: 'reference' }]
  return (needs === 'last' ? (['first', 'last'] as const) : (['first'] as const)).map((as) => ({ url: PICTURE, as }))
}

const write = (dialect: TaskDialect, model: string, film: FilmRequest) =>
  dialect.write({ format: 'another', model, action: 'GENERATE', prompt: film.prompt, film, given: {} }, {
    model,
    settings: {},
  } as Parameters<TaskDialect['write']>[1])

describe('a model of films', () => {
  it('is asked for a film of which the caller gives only the words', async () => {
    const failures = await listFailures(
      models,
      ({ dialect, model }) => `${dialect.name}, ${nameOf(model)}`,
      ({ dialect, model }) => {
        const name = nameOf(model)
        expect(findFilmModel(name, dialect.models ?? [])).toBe(model)
        const { json } = write(dialect, name, { prompt: 'a ferry', pictures: picturesOf(model) })
        expect(JSON.stringify(json)).toContain('a ferry')
      },
    )
    expect(failures).toEqual([])
  })

  it('of Vidu makes eight seconds between two pictures, and a newer one as many as it makes otherwise', () => {
    const between = (model: string, seconds: number) => () =>
      write(viduFilmTasks, model, {
        ...{ prompt: 'a ferry', seconds },
        pictures: [
          { url: PICTURE, as: 'first' },
          { url: PICTURE, as: 'last' },
        ],
      }).json
    expect(between('viduq2-pro', 8)()).toMatchObject({ duration: 8 })
    expect(between('viduq2-pro', 9)).toThrow(expect.objectContaining({ code: 'film.unsupported' }))
    expect(between('viduq3-pro', 9)()).toMatchObject({ duration: 9 })
  })

  it('of Wan is charged by the lines and the length that it reports', () => {
    const used = (usage: object) =>
      wanFilmTasks.states({ output: { task_id: 't', task_status: 'SUCCEEDED' }, usage }, ['t'])[0]?.used
    expect(used({ SR: 720, duration: 5 })).toEqual({ video_seconds: 5, film: { size: '720p' } })
    expect(used({ SR: 1080, video_duration: 10 })).toEqual({ video_seconds: 10, film: { size: '1080p' } })
    expect(used({ duration: 5 })).toEqual({ video_seconds: 5 })
  })
})

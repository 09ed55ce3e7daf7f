// A video request in neutral form, between the formats it is read from and written to, and the table of each model's
// capabilities.
import { fail } from '../../errors.ts'
import { toPriceForm } from '../requests/price-words.ts'

/** An image as first frame, last frame or reference of a video: a URL or a `data:` URL. */
export interface FilmPicture {
  url: string
  as: 'first' | 'last' | 'reference'
}

/** The requested video; the provider chooses missing values. */
export interface FilmRequest {
  prompt: string
  negative_prompt?: string
  seconds?: number
  /** Pixels of the shorter side, as `720p`. */
  resolution?: string
  /** Aspect ratio, as `16:9`. */
  ratio?: string
  sound?: boolean
  /** The caller did not set the audio, so a model that supports only the opposite is accepted. */
  usual_sound?: true
  seed?: number
  pictures: readonly FilmPicture[]
}

/** The capabilities of a model. The first value of each list is the default. */
export interface FilmModel {
  /** Its name, or a pattern of its names. */
  model: string | RegExp
  seconds: readonly number[]
  resolutions: readonly string[]
  ratios: readonly string[]
  /** `choice` and `usually`: as requested; the default is silent for `choice` and with audio for `usually`. */
  sound: 'always' | 'never' | 'choice' | 'usually'
  /** Maximum number of each. */
  pictures: Readonly<Partial<Record<FilmPicture['as'], number>>>
  /** A required image; `picture` means any. */
  needs?: FilmPicture['as'] | 'picture'
  /**
   * Date on which the vendor discontinued the model, as `2026-09-24`: still used if a channel lists it, but no longer
   * offered.
   */
  ended?: string
}

/** A video request as the provider accepts it. */
export interface FittedFilm extends FilmRequest {
  seconds: number
  resolution: string
  ratio: string
  sound: boolean
}

/**
 * Returns the request within the model's capabilities, with its defaults for missing values.
 * @throws GatewayError film.unsupported with the values that it takes
 */
export function fitFilm(film: FilmRequest, model: string, models: readonly FilmModel[]): FittedFilm {
  const can =
    findFilmModel(model, models) ?? fail('film.unsupported', { param: 'model', model, allowed: listNames(models) })
  const one = <T>(param: string, requested: T | undefined, allowed: readonly T[]): T => {
    const [usual] = allowed
    if (requested === undefined) return usual as T
    return allowed.includes(requested) ? requested : unsupported(model, param, allowed)
  }
  for (const as of ['first', 'last', 'reference'] as const) {
    const most = can.pictures[as] ?? 0
    const count = film.pictures.filter((picture) => picture.as === as).length
    if (count > most) unsupported(model, `${as} picture`, [most === 0 ? 'none' : `at most ${most}`])
  }
  const { needs } = can
  if (needs && !film.pictures.some(({ as }) => needs === 'picture' || as === needs)) {
    unsupported(model, needs === 'picture' ? 'pictures' : `${needs} picture`, ['at least 1'])
  }
  return {
    ...film,
    seconds: one('seconds', film.seconds, can.seconds),
    resolution: one('resolution', film.resolution, can.resolutions),
    ratio: one('ratio', film.ratio, can.ratios),
    sound: one('sound', soundAsked(film, SOUNDS[can.sound]), SOUNDS[can.sound]),
  }
}

const SOUNDS: Readonly<Record<FilmModel['sound'], readonly boolean[]>> = {
  always: [true],
  never: [false],
  choice: [false, true],
  usually: [true, false],
}

const soundAsked = ({ sound, usual_sound }: FilmRequest, allowed: readonly boolean[]): boolean | undefined =>
  usual_sound && sound !== undefined && !allowed.includes(sound) ? undefined : sound

/** Does the model add audio by default? */
export const hasSoundByDefault = ({ sound }: Pick<FilmModel, 'sound'>): boolean => SOUNDS[sound][0] === true

/** Finds the capabilities of a model; undefined if it is not in the table. */
export const findFilmModel = (name: string, models: readonly FilmModel[]): FilmModel | undefined =>
  models.find(({ model }) => (typeof model === 'string' ? model === name : model.test(name)))

const unsupported = (model: string, param: string, allowed: readonly unknown[]): never =>
  fail('film.unsupported', { model, param, allowed: allowed.join(', ') })

const listNames = (models: readonly FilmModel[]): string =>
  models.map(({ model }) => (typeof model === 'string' ? model : model.source)).join(', ')

/** Converts the pixels of both sides, as in OpenAI's format, to resolution and ratio. */
export function parsePixelSize(size: string): Pick<FilmRequest, 'resolution' | 'ratio'> | undefined {
  const [, width = '', height = ''] = /^(\d{2,5})x(\d{2,5})$/.exec(size) ?? []
  const [wide, high] = [Number(width), Number(height)]
  if (!wide || !high) return undefined
  const shorter = Math.min(wide, high)
  const ratio = RATIOS.reduce((best, each) =>
    Math.abs(parseRatio(each) - wide / high) < Math.abs(parseRatio(best) - wide / high) ? each : best,
  )
  return { resolution: shorter >= 2000 ? '4k' : `${shorter}p`, ratio }
}

/** Returns the pixels of both sides. */
export function formatPixelSize({ resolution, ratio }: Pick<FittedFilm, 'resolution' | 'ratio'>): string {
  const shorter = resolution === '4k' ? 2160 : Number.parseInt(resolution, 10)
  const value = parseRatio(ratio)
  const longer = 2 * Math.round((shorter * Math.max(value, 1 / value)) / 2)
  return value >= 1 ? `${longer}x${shorter}` : `${shorter}x${longer}`
}

const RATIOS = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9', '3:2', '2:3']
const parseRatio = (ratio: string): number => {
  const [wide = 16, high = 9] = ratio.split(':').map(Number)
  return wide / high
}

/**
 * Returns the properties that determine the price of a video (`ImageMultiplier`): its resolution, and whether it has
 * audio.
 */
export const getPriceFields = ({
  resolution,
  sound,
}: Pick<FilmRequest, 'resolution' | 'sound'>): { size?: string; quality?: string } => ({
  ...(resolution === undefined ? {} : { size: toPriceForm(resolution) }),
  ...(sound === undefined ? {} : { quality: sound ? 'sound' : 'silent' }),
})

// A film to be made, in words that every provider has its own for: the neutral form between the formats it is read from and
// written in, and the table of what each model can do.
import { fail } from '../../errors.ts'
import { toPriceForm } from '../price-words.ts'

/** A picture that a film begins with, ends with, or takes its things from: an address, or a `data:` address. */
export interface FilmPicture {
  url: string
  as: 'first' | 'last' | 'reference'
}

/** What is asked for; what is missing is the provider's to choose. */
export interface Film {
  prompt: string
  negative_prompt?: string
  seconds?: number
  /** Pixels of its shorter side, as `720p`. */
  resolution?: string
  /** As `16:9`. */
  ratio?: string
  sound?: boolean
  /** Nobody said how it sounds: who can only make it otherwise does. */
  usual_sound?: true
  seed?: number
  pictures: readonly FilmPicture[]
}

/** What a model can be asked for. The first of each list is what it makes where nobody says. */
export interface FilmModel {
  /** Its name, or what its names look like. */
  model: string | RegExp
  seconds: readonly number[]
  resolutions: readonly string[]
  ratios: readonly string[]
  /** `choice` and `usually`: as is asked; where nobody says, `choice` is without and `usually` with. */
  sound: 'always' | 'never' | 'choice' | 'usually'
  /** So many of each at most. */
  pictures: Readonly<Partial<Record<FilmPicture['as'], number>>>
  /** It makes no film without such a picture; `picture`: without any. */
  needs?: FilmPicture['as'] | 'picture'
  /** The day on which its vendor ended it, as `2026-09-24`: still asked for whom its channel lists, offered to nobody. */
  ended?: string
}

/** A film as a provider is asked for it. */
export interface FittedFilm extends Film {
  seconds: number
  resolution: string
  ratio: string
  sound: boolean
}

/**
 * The film as the model can make it: what is not said is the model's usual.
 * @throws GatewayError film.unsupported with the values that it takes
 */
export function fittedFilm(film: Film, model: string, models: readonly FilmModel[]): FittedFilm {
  const can = filmModel(model, models) ?? fail('film.unsupported', { param: 'model', model, allowed: namesOf(models) })
  const one = <T>(param: string, asked: T | undefined, allowed: readonly T[]): T => {
    const [usual] = allowed
    if (asked === undefined) return usual as T
    return allowed.includes(asked) ? asked : unsupported(model, param, allowed)
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
  ...{ always: [true], never: [false], choice: [false, true], usually: [true, false] },
}

const soundAsked = ({ sound, usual_sound }: Film, allowed: readonly boolean[]): boolean | undefined =>
  usual_sound && sound !== undefined && !allowed.includes(sound) ? undefined : sound

/** Has it sound where nobody says? */
export const isUsuallyHeard = ({ sound }: Pick<FilmModel, 'sound'>): boolean => SOUNDS[sound][0] === true

/** What is declared of a model; undefined of names that are not in the table. */
export const filmModel = (name: string, models: readonly FilmModel[]): FilmModel | undefined =>
  models.find(({ model }) => (typeof model === 'string' ? model === name : model.test(name)))

const unsupported = (model: string, param: string, allowed: readonly unknown[]): never =>
  fail('film.unsupported', { model, param, allowed: allowed.join(', ') })

const namesOf = (models: readonly FilmModel[]): string =>
  models.map(({ model }) => (typeof model === 'string' ? model : model.source)).join(', ')

/** Pixels of both sides, as OpenAI's format has them, in the two words of the neutral form. */
export function inWords(size: string): Pick<Film, 'resolution' | 'ratio'> | undefined {
  const [, width = '', height = ''] = /^(\d{2,5})x(\d{2,5})$/.exec(size) ?? []
  const [wide, high] = [Number(width), Number(height)]
  if (!wide || !high) return undefined
  const shorter = Math.min(wide, high)
  const ratio = RATIOS.reduce((best, each) =>
    Math.abs(valueOf(each) - wide / high) < Math.abs(valueOf(best) - wide / high) ? each : best,
  )
  return { resolution: shorter >= 2000 ? '4k' : `${shorter}p`, ratio }
}

/** Pixels of both sides. */
export function inPixels({ resolution, ratio }: Pick<FittedFilm, 'resolution' | 'ratio'>): string {
  const shorter = resolution === '4k' ? 2160 : Number.parseInt(resolution, 10)
  const value = valueOf(ratio)
  const longer = 2 * Math.round((shorter * Math.max(value, 1 / value)) / 2)
  return value >= 1 ? `${longer}x${shorter}` : `${shorter}x${longer}`
}

const RATIOS = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9', '3:2', '2:3']
const valueOf = (ratio: string): number => {
  const [wide = 16, high = 9] = ratio.split(':').map(Number)
  return wide / high
}

/** What of a film makes its price (`ImageMultiplier`): its resolution, and whether it has sound. */
export const pricedAs = ({
  resolution,
  sound,
}: Pick<Film, 'resolution' | 'sound'>): { size?: string; quality?: string } => ({
  ...(resolution === undefined ? {} : { size: toPriceForm(resolution) }),
  ...(sound === undefined ? {} : { quality: sound ? 'sound' : 'silent' }),
})

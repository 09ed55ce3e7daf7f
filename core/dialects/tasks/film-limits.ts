// Restrictions of video vendors beyond the table of models.
import { fail } from '../../errors.ts'
import type { FilmRequest, FilmPicture } from './film.ts'
import type { ParsedSubmission, TaskState } from './task-dialect.ts'
import type { Usage } from '../answers/usage.ts'
import { asObject, getMember } from '../json/json-value.ts'
import type { PriceWord } from '../requests/price-words.ts'

/** @throws GatewayError film.unsupported */
export const refuseFilm = (model: string, param: string, ...allowed: readonly (string | number)[]): never =>
  fail('film.unsupported', { model, param, allowed: allowed.join(', ') })

/** Requires a new video: not every vendor can continue an earlier one. */
export const requireNewFilm = (
  { film, action }: Pick<ParsedSubmission, 'film' | 'action'>,
  model: string,
): FilmRequest => film ?? refuseFilm(model, 'action', `GENERATE (not ${action})`)

/** Groups the images by role. Frames and references are two ways to use images, and cannot be combined. */
export function groupPicturesByRole(
  { pictures }: Pick<FilmRequest, 'pictures'>,
  model: string,
): Partial<Record<FilmPicture['as'], string[]>> {
  const by: Partial<Record<FilmPicture['as'], string[]>> = {}
  for (const { as, url } of pictures) (by[as] ??= []).push(url)
  if (by.reference && (by.first || by.last)) refuseFilm(model, 'pictures', 'a first and a last frame', 'or references')
  if (by.last && !by.first) refuseFilm(model, 'last picture', 'only with a first picture')
  return by
}

const DATA = /^data:([^;,]+);base64,([A-Za-z0-9+/=_-]+)$/

/** Returns the bytes of an image for a vendor that requires them in the request. */
export function getInlineBytes(url: string, model: string): { type: string; data: string } {
  const [, type, data] = DATA.exec(url) ?? []
  return type && data ? { type, data } : refuseFilm(model, 'pictures', 'bytes: a file of the form, or a data: address')
}

// The usage of a video as its provider reports it.

/** Returns the usage with the reported values; the same object if nothing differs. */
export function applyReportedUsage(requested: Usage, { used }: TaskState): Usage {
  const seconds = used?.video_seconds ?? requested.video_seconds
  const film = { ...requested.film, ...used?.film }
  const isSame =
    seconds === requested.video_seconds &&
    film.size === requested.film?.size &&
    film.quality === requested.film?.quality
  return isSame ? requested : { ...requested, video_seconds: seconds, film }
}

// The fields of a video request that its price may depend on: its size.

/** Vendors read the size from these members, at the top or among the parameters. */
const MEMBERS = ['resolution', 'size', 'mode'] as const

/** Returns the fields; undefined if the caller set none, and the model's default size applies. */
export function readFilmFields({ film, given }: Pick<ParsedSubmission, 'film' | 'given'>): PriceWord[] | undefined {
  if (!film) return undefined
  const words: PriceWord[] = []
  if (film.resolution !== undefined) words.push({ member: 'resolution', kind: 'size', value: film.resolution })
  for (const place of [given, asObject(given.parameters)]) {
    for (const member of MEMBERS) {
      const value = getMember(place, member)
      // A string is read by its format; no other type can be priced.
      if (value !== undefined && value !== null && typeof value !== 'string')
        words.push({ member, kind: 'size', value })
    }
  }
  return words.length > 0 ? words : undefined
}

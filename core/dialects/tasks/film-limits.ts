// Restrictions of video vendors beyond the table of models.
import { fail } from '../../errors.ts'
import type { FilmRequest, FilmPicture } from './film.ts'
import type { ParsedSubmission } from './task-dialect.ts'

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

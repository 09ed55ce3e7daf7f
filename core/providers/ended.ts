// Models that their vendors have ended, according to the tables of films.
import { findFilmModel } from '../dialects/tasks/film.ts'
import { findProvider } from './index.ts'

/**
 * Returns the day on which a model, by the provider's name, ended, such as `2026-09-24`; undefined if it is available.
 */
export const findEndDay = (type: number, model: string): string | undefined =>
  findProvider(type)
    ?.tasks?.map(({ dialect }) => findFilmModel(model, dialect.models ?? []))
    .find((film) => film)?.ended

// Models that their vendors have ended, as the tables of films say.
import { filmModel } from '../dialects/tasks/film.ts'
import { findProvider } from './index.ts'

/** The day on which it ended, as `2026-09-24`, of a model as the provider names it; undefined where it goes on. */
export const endedOn = (type: number, model: string): string | undefined =>
  findProvider(type)
    ?.tasks?.map(({ dialect }) => filmModel(model, dialect.models ?? []))
    .find((film) => film)?.ended

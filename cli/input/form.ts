// A form of the contract as the terminal fills it in: its fields as data, without their schemas.
import { z } from 'zod'
import { fieldsOfForm, type FormControl } from '../../core/contract/control.ts'
import { findFieldDeclaration } from '../../core/contract/field.ts'

/** A field of a form: how it is filled in, and the members of a JSON text if they are declared. */
export interface CommandField extends FormControl {
  members?: readonly string[]
}

export type CommandForm<N extends string = string> = Readonly<Record<N, CommandField>>

/** Returns the declared fields of a schema, in its order. */
export const toCommandForm = <S extends z.ZodObject>(schema: S): CommandForm<keyof S['shape'] & string> =>
  Object.fromEntries(
    Object.entries<FormControl>(fieldsOfForm(schema)).map(([name, control]) => {
      const inside = findFieldDeclaration(schema.shape[name] as z.ZodType)?.inside
      return [name, inside instanceof z.ZodObject ? { ...control, members: Object.keys(inside.shape) } : control]
    }),
  ) as CommandForm<keyof S['shape'] & string>

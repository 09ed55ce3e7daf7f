// A labelled field of a form, with room for a hint or an error.
import { createContext, useContext, useId, type ReactNode } from 'react'
import type { RefusedFormField } from '../../data/notify.ts'

/** The field errors of the surrounding form. */
export const RefusedFields = createContext<readonly RefusedFormField[]>([])

interface Props {
  /** The name in the request: errors of that field are shown here. */
  field?: string
  label: string
  required?: boolean
  hint?: ReactNode
  error?: string
  children: ReactNode
}

export function FormField({ field, label, required, hint, error: own, children }: Props) {
  const id = useId()
  const refused = useContext(RefusedFields)
  const error = own ?? refused.find((each) => each.field === field)?.message
  return (
    <div className="field" role="group" aria-labelledby={id} data-field={field}>
      <div className="field-label" id={id}>
        {label}
        {required && <span className="field-required" aria-hidden="true" />}
      </div>
      {children}
      {error ? (
        <div className="field-error" role="alert">
          {error}
        </div>
      ) : (
        hint && <div className="hint">{hint}</div>
      )}
    </div>
  )
}

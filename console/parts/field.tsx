// A labelled field of a form, with room for a hint or what is wrong with it.
import { useId, type ReactNode } from 'react'

interface Props {
  label: string
  required?: boolean
  hint?: ReactNode
  error?: string
  children: ReactNode
}

export function Field({ label, required, hint, error, children }: Props) {
  const id = useId()
  return (
    <div className="field" role="group" aria-labelledby={id}>
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

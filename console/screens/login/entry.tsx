// The card of a visitor who is not signed in: sign-in, registration, forgotten password.
import type { ReactNode } from 'react'
import './login.css'

interface Props {
  title: string
  /** Rendered below the card. */
  footer?: ReactNode
  children: ReactNode
}

export function SignInCard({ title, footer, children }: Props) {
  return (
    <div className="login">
      <div className="sheet login-card">
        <h1>{title}</h1>
        {children}
      </div>
      {footer}
    </div>
  )
}

/** A form of the card, submitted by Enter. */
export function SignInForm({ onSubmit, children }: { onSubmit(): void; children: ReactNode }) {
  return (
    <form
      className="login-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
    </form>
  )
}

// The head of a screen: its title, the content next to it, and its actions.
import type { ReactNode } from 'react'

export function PageHead({ title, extra, children }: { title: string; extra?: ReactNode; children?: ReactNode }) {
  return (
    <div className="page-head">
      <h1>{title}</h1>
      {extra}
      <div className="page-actions">{children}</div>
    </div>
  )
}

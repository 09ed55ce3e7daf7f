// What stands where nothing is: what that means, why, and what can be done about it.
import type { ReactNode } from 'react'

interface Props {
  title: string
  description?: ReactNode
  children?: ReactNode
  /** It fills the page. */
  page?: boolean
  /** It says what went wrong, which nothing else tells. */
  failed?: boolean
}

export function Empty({ title, description, children, page, failed }: Props) {
  return (
    <div className={`empty${page ? ' empty-page' : ''}`} role={failed ? 'alert' : undefined}>
      <p className="empty-title">{title}</p>
      {description && <p className="muted">{description}</p>}
      {children}
    </div>
  )
}

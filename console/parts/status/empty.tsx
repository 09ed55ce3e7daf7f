// Placeholder of an empty list or page: what it means, why it is empty, and what to do.
import type { ReactNode } from 'react'

interface Props {
  title: string
  description?: ReactNode
  children?: ReactNode
  /** Fills the page. */
  page?: boolean
  /** Shows an error that is shown nowhere else. */
  failed?: boolean
}

export function EmptyState({ title, description, children, page, failed }: Props) {
  return (
    <div className={`empty${page ? ' empty-page' : ''}`} role={failed ? 'alert' : undefined}>
      <p className="empty-title">{title}</p>
      {description && <p className="muted">{description}</p>}
      {children}
    </div>
  )
}

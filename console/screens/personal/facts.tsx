// Numbers side by side, each with its label.
import type { ReactNode } from 'react'

export const Facts = ({ children }: { children: ReactNode }) => <dl className="facts">{children}</dl>

export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd className="number">{children}</dd>
  </div>
)

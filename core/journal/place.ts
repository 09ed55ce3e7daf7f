/** Where a record is in a journal, or how far a journal is booked. */
export interface JournalPlace {
  /** The journal's name. */
  journal: string
  /** Its records are numbered from 1, in the order of writing. */
  place: number
}

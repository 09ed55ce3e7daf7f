/** The position of a record in a journal, or the position up to which a journal is booked. */
export interface JournalPlace {
  /** The journal's name. */
  journal: string
  /** Number of the record, from 1, in the order of writing. */
  place: number
}

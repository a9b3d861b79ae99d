/** The staff of the tests: one member of each type, all with the same password. */

export const STAFF = {
  Admin: { name: 'Ayu Lestari', email: 'ayu@desk.example' },
  Manager: { name: 'Made Wirawan', email: 'made@desk.example' },
  Team: { name: 'Budi Santoso', email: 'budi@desk.example' },
  Telecaller: { name: 'Citra Dewi', email: 'citra@desk.example' },
  'Night Staff': { name: 'Nyoman Putra', email: 'nyoman@desk.example' },
} as const;

/** A type of staff. */
export type StaffType = keyof typeof STAFF;

export const PASSWORD = 'a long test password';

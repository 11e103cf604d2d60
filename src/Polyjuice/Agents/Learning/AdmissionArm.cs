namespace Polyjuice.Agents;

/// <summary>
/// One of the ways in which the transactions of a type can be let in, among which <see cref="AdmissionTrial"/> chooses.
/// </summary>
internal enum AdmissionArm
{
    /// <summary>At once, and by the table's rows, which may expose what was written at once.</summary>
    HandOn = 0,

    /// <summary>
    /// At once; what is written stays private until it is ordered, whatever
    /// the rows say, so that nobody who built on it is aborted with it.
    /// </summary>
    KeepWrites = 1,

    /// <summary>
    /// After a dry run and reservations; what is written stays private
    /// until it is ordered, or is handed on with its reservation.
    /// </summary>
    Reserve = 2,
}

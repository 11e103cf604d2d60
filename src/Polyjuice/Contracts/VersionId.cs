namespace Polyjuice.Contracts;

/// <summary>
/// Identity of a version: who wrote it, and which of its writes it was (rule R1a). The initial version has none.
/// </summary>
internal readonly record struct VersionId(TransactionId Transaction, int Write);

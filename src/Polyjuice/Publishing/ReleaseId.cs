namespace Polyjuice.Publishing;

/// <summary>
/// Which release is meant: the number alone does not say, because one that was lost may be taken again.
/// </summary>
/// <param name="Number">0 for what silos are started with.</param>
/// <param name="Sha256">Of its entry; empty for 0.</param>
internal readonly record struct ReleaseId(int Number, string Sha256)
{
    /// <summary>What silos are started with.</summary>
    public static ReleaseId Start { get; } = new(0, "");
}

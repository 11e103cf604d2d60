using System.Text.Json;
using System.Text.Json.Serialization;

namespace Polyjuice.Publishing.Following;

/// <summary>
/// What a cluster's silos have seen published last. They keep it beside their logs, so that one that starts knows what
/// the place has lost. Immutable.
/// </summary>
/// <param name="Counted">SHA-256 of the entries that counted, in order.</param>
/// <param name="Release">The number of the release that was in force; 0 for what silos are started with.</param>
/// <param name="Sha256">Of that release's entry; empty for 0.</param>
/// <param name="Name">Its policy's name; empty for 0.</param>
/// <param name="Entry">Its entry, as it was published; empty for 0.</param>
internal sealed record PolicyMemory(
    IReadOnlyList<string> Counted, int Release, string Sha256, string Name, string Entry)
{
    /// <summary>The note's name.</summary>
    public const string NoteName = "published-policies";

    private const int CurrentVersion = 1;

    /// <summary>The version of this format.</summary>
    public int Version { get; init; } = CurrentVersion;

    /// <summary>Which release was in force.</summary>
    [JsonIgnore]
    public ReleaseId InForce => new(Release, Sha256);

    /// <summary>Whether all of some entries are among those that counted.</summary>
    public bool Knows(IEnumerable<string> counted) => !counted.Except(Counted, StringComparer.Ordinal).Any();

    /// <summary>As a note.</summary>
    public byte[] Write() => JsonSerializer.SerializeToUtf8Bytes(this);

    /// <summary>Reads a note.</summary>
    /// <exception cref="InvalidDataException">It is none, or of a newer version.</exception>
    public static PolicyMemory Read(ReadOnlyMemory<byte> note)
    {
        try
        {
            var memory = JsonSerializer.Deserialize<PolicyMemory>(note.Span);
            return memory is {
                Version: CurrentVersion, Counted: not null, Sha256: not null, Name: not null, Entry: not null,
                Release: >= 0 }
                ? memory
                : throw new InvalidDataException("It is not what this version writes.");
        }
        catch (JsonException exception)
        {
            throw new InvalidDataException($"It is not JSON: {exception.Message}", exception);
        }
    }
}

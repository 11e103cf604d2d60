namespace Polyjuice.Storage;

/// <summary>A log can't be used as it is, and trying again would not help: somebody must look at it first.</summary>
public class LogUnusableException : Exception
{
    /// <summary>Creates it.</summary>
    /// <param name="message">What is wrong, where, and what to do.</param>
    /// <param name="inner">What showed it, if anything.</param>
    internal LogUnusableException(string message, Exception? inner = null) : base(message, inner)
    {
    }
}

/// <summary>
/// Bytes of a log that were once durable are not what was written. The partition does not start; nothing is skipped or
/// repaired, because what is missing may have been told to somebody as committed.
/// </summary>
internal sealed class LogDamagedException : LogUnusableException
{
    /// <summary>Creates it.</summary>
    /// <param name="location">The device's.</param>
    /// <param name="name">The segment or object.</param>
    /// <param name="offset">Where in it, in bytes.</param>
    /// <param name="what">What is wrong there.</param>
    public LogDamagedException(string location, string name, long offset, string what)
        : base(
            $"{location}/{name} is damaged at offset {offset}: {what}. Nothing was changed. See all that is wrong with "
            + $"'polyjuice log verify --data {location}' and what can be read with 'polyjuice log dump --data "
            + $"{location}', restore the file from a copy, and start again.")
    {
        Name = name;
        Offset = offset;
        What = what;
    }

    /// <summary>The segment or object.</summary>
    public string Name { get; }

    /// <summary>Where in it, in bytes.</summary>
    public long Offset { get; }

    /// <summary>What is wrong there.</summary>
    public string What { get; }
}

/// <summary>
/// A newer version of Polyjuice wrote this, in a way that this version does not know, and that is never guessed at.
/// </summary>
internal sealed class LogVersionException : LogUnusableException
{
    /// <summary>Creates it.</summary>
    /// <param name="what">What has the version: a file with its path, a batch with its position.</param>
    /// <param name="version">Its version.</param>
    /// <param name="known">The newest that is known here.</param>
    public LogVersionException(string what, int version, int known)
        : base(
            $"{what} has format version {version}; this version of Polyjuice knows versions up to {known}. Use the "
            + "version that wrote it, or a newer one.")
    {
    }
}

/// <summary>
/// Batches that were asked for have been trimmed, because a checkpoint stands for them: read that first.
/// </summary>
internal sealed class LogTrimmedException : IOException
{
    /// <summary>Creates it.</summary>
    /// <param name="position">What was asked for.</param>
    /// <param name="first">The first batch that is still there.</param>
    public LogTrimmedException(long position, long first)
        : base(
            $"Batch {position} has been trimmed; the log begins at {first}. A checkpoint stands for what was before.")
    {
    }
}

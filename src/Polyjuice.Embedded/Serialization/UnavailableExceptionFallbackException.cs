namespace Polyjuice.Embedded.Serialization;

/// <summary>Stands for an exception from another silo whose class can't be made again here.</summary>
public sealed class UnavailableExceptionFallbackException : Exception
{
    /// <summary>The class's full name.</summary>
    public string ExceptionType { get; init; } = "";
}

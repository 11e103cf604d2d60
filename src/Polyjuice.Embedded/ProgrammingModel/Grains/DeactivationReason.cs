namespace Orleans;

/// <summary>Why an activation goes away.</summary>
/// <param name="code">The kind of reason.</param>
/// <param name="exception">The exception behind it, if any.</param>
/// <param name="text">For people.</param>
public readonly struct DeactivationReason(DeactivationReasonCode code, Exception? exception, string text)
{
    /// <summary>Creates it without an exception.</summary>
    public DeactivationReason(DeactivationReasonCode code, string text) : this(code, null, text)
    {
    }

    /// <summary>For people.</summary>
    public string Description { get; } = text;

    /// <summary>The kind of reason.</summary>
    public DeactivationReasonCode ReasonCode { get; } = code;

    /// <summary>The exception behind it, if any.</summary>
    public Exception? Exception { get; } = exception;

    /// <inheritdoc/>
    public override string ToString() =>
        Exception is null ? $"{ReasonCode}: {Description}" : $"{ReasonCode}: {Description} ({Exception.Message})";
}

/// <summary>The kinds of reason for which an activation goes away.</summary>
public enum DeactivationReasonCode : byte
{
    /// <summary>None given.</summary>
    None,

    /// <summary>The silo stops.</summary>
    ShuttingDown,

    /// <summary>The activation could not be made.</summary>
    ActivationFailed,

    /// <summary>The grain belongs to another silo now.</summary>
    DirectoryFailure,

    /// <summary>It was idle for too long.</summary>
    ActivationIdle,

    /// <summary>It did not answer.</summary>
    ActivationUnresponsive,

    /// <summary>Another activation of the grain exists.</summary>
    DuplicateActivation,

    /// <summary>A request met an activation in an incompatible state.</summary>
    IncompatibleRequest,

    /// <summary>The grain itself asked for it.</summary>
    ApplicationError,

    /// <summary>The application asked for it.</summary>
    ApplicationRequested,

    /// <summary>The grain moves to another silo.</summary>
    Migrating,

    /// <summary>The runtime asked for it.</summary>
    RuntimeRequested,
}

namespace Polyjuice.Embedded.Core;

/// <summary>A message's first byte.</summary>
internal enum MessageKind : byte
{
    /// <summary>A grain call.</summary>
    Request = 1,

    /// <summary>Its answer.</summary>
    Response,

    /// <summary>The caller has cancelled it.</summary>
    Cancel,

    /// <summary>A batch of the transaction engine's.</summary>
    Engine,

    /// <summary>A request was passed on to another silo, which will answer it.</summary>
    Forwarded,
}

/// <summary>What a request carries.</summary>
[Flags]
internal enum RequestFlags : byte
{
    /// <summary>Nothing more.</summary>
    None = 0,

    /// <summary>It comes from a client and belongs to no transaction: new work.</summary>
    IsNew = 1,

    /// <summary>The engine's token.</summary>
    HasToken = 2,

    /// <summary>A request context.</summary>
    HasValues = 4,

    /// <summary>Nobody waits for the answer.</summary>
    IsOneWay = 8,

    /// <summary>The caller may cancel it.</summary>
    IsCancellable = 16,
}

/// <summary>What an answer carries.</summary>
[Flags]
internal enum ResponseFlags : byte
{
    /// <summary>The result only.</summary>
    None = 0,

    /// <summary>The engine's report.</summary>
    HasReport = 1,

    /// <summary>An exception instead of a result.</summary>
    IsException = 2,
}

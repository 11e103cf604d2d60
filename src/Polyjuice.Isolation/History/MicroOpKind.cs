namespace Polyjuice.Isolation;

/// <summary>What a micro-operation does.</summary>
internal enum MicroOpKind
{
    /// <summary>Adds an element at the end of a list.</summary>
    Append,

    /// <summary>Replaces a register's value.</summary>
    Write,

    /// <summary>Reads a list or a register.</summary>
    Read,
}

namespace Polyjuice.Testing;

/// <summary>What a silo of a test cluster is doing.</summary>
internal enum TestSiloState
{
    /// <summary>It runs.</summary>
    Running,

    /// <summary>It stands still: nothing gets in or out.</summary>
    Paused,

    /// <summary>It has crashed, and nothing it still does has an effect.</summary>
    Crashed,

    /// <summary>It has left, or has stopped because the others declared it dead.</summary>
    Stopped,
}

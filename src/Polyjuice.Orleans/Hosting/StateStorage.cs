namespace Orleans.Configuration;

/// <summary>Where a transactional state is kept.</summary>
public enum StateStorage
{
    /// <summary>
    /// With the storage provider that Orleans' own engine would use: the <c>ITransactionalStateStorageFactory</c>, or
    /// else the <c>IGrainStorage</c>, of the storage's name; for a state without a storage's name the silo's default
    /// ones. In this engine's log if there is none.
    /// </summary>
    Registered,

    /// <summary>With that provider; the silo does not start if there is none.</summary>
    Provider,

    /// <summary>In this engine's log, whichever providers there are.</summary>
    Log,
}

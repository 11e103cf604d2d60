namespace Polyjuice.Tests.Storages;

/// <summary>When something happens to a storage call.</summary>
public enum StorageMoment
{
    BeforeRead,
    BeforeWrite,

    /// <summary>Between the steps of a provider that splits a store.</summary>
    BetweenWrites,
    AfterWrite,
}

namespace Polyjuice.Embedded.Core;

/// <summary>The life of an activation.</summary>
internal enum ActivationState
{
    /// <summary>Nothing has arrived yet.</summary>
    New,

    /// <summary>Its object is made and <c>OnActivateAsync</c> runs; requests wait.</summary>
    Activating,

    /// <summary>It takes requests.</summary>
    Active,

    /// <summary>It takes no new requests and goes away when the running ones have ended.</summary>
    Deactivating,

    /// <summary>It is gone.</summary>
    Gone,
}
